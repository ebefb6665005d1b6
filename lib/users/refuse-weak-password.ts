import { badRequest } from '#lib/core/errors.ts'
import { passwordFault } from '#lib/core/weak-password.ts'

/** @throws ServiceError `bad_request` with the violated rule, never the password */
export function refuseWeakPassword(password: string, username: string): void {
  const fault = passwordFault(password, username)
  if (fault !== undefined) throw badRequest(`password: ${fault}`, { fields: ['password'] })
}
