/** What callers may do, from least to most: each role may do what those before it may. */
export const roles = ['viewer', 'operator', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]
