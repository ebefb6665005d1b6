/** Roles from least to most powerful. Each may do everything that those before it may. */
export const roles = ['viewer', 'operator', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]

/** The less powerful of two roles. */
export function lesserRole(one: Role, other: Role): Role {
  return roles.indexOf(one) < roles.indexOf(other) ? one : other
}
