import { everybody, type Caller } from '#lib/api/auth/auth.ts'

/** Who starts a run, for those who look at it later; nobody where nobody is asked who they are. */
export const triggeredBy = ({ name }: Caller): { readonly triggeredBy?: string } =>
  name === everybody.name ? {} : { triggeredBy: name }
