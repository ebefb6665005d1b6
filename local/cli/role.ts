import { roles, type Role } from '#lib/core/roles.ts'
import { UsageError } from './command.ts'

/** @throws UsageError */
export function readRole(text: string): Role {
  const role = roles.find((role) => role === text)
  if (role !== undefined) return role
  throw new UsageError(`ROLE must be one of ${roles.join(', ')}, got ${JSON.stringify(text)}`)
}
