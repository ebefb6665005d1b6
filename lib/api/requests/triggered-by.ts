import type { Caller } from '#lib/api/auth/auth.ts'

/** Who starts a run, for those who look at it later; nobody where nobody is asked who they are. */
export const triggeredBy = ({ name, isAnonymous }: Caller): { readonly triggeredBy?: string } =>
  isAnonymous === true ? {} : { triggeredBy: name }
