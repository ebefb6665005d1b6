import type { Caller } from '#lib/api/auth/auth.ts'

/** Who does something, as it is stored; empty where nobody is asked who they are. */
export const actorOf = ({ name, isAnonymous }: Caller): string => (isAnonymous === true ? '' : name)
