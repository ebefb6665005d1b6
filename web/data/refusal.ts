import { useData } from './page-data.ts'

/** Why the caller may not act on runs; undefined: they may. */
export function useRunRefusal(): string | undefined {
  const { can, role } = useData().session.who.value
  return can.run ? undefined : `needs the role operator; you are ${role}`
}

/** Why the caller may not change DAGs; undefined: they may. */
export function useWriteRefusal(): string | undefined {
  const { can, role } = useData().session.who.value
  return can.write ? undefined : `needs the role editor; you are ${role}`
}

/** Why the caller may not see or change the pages for admins; undefined: they may. */
export function useAdminRefusal(): string | undefined {
  const { can, role } = useData().session.who.value
  return can.admin ? undefined : `needs the role admin; you are ${role}`
}
