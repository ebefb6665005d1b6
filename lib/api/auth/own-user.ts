import type { Caller } from './auth.ts'

/** The user who calls with their password, or by a session that began with it; undefined for keys and settings. */
export function ownUser({ user, basis }: Caller): string | undefined {
  const hash = basis && 'passwordHash' in basis ? basis.passwordHash : undefined
  return hash === undefined ? undefined : user
}
