import type { InferOutput } from 'valibot'
import { runStatusCode } from '#lib/core/status.ts'
import type { DagStateRow } from '#lib/runs/read/list-dag-states.ts'
import type { DagStates } from '../schemas/dag.ts'

type Group = InferOutput<typeof DagStates>['groups'][number]

/** Rows that are sorted by group, as groups. */
export function presentDagStates({
  rows,
  total,
}: {
  readonly rows: readonly DagStateRow[]
  readonly total: number
}): InferOutput<typeof DagStates> {
  const groups: Group[] = []
  for (const { fileName, group, suspended, state } of rows) {
    if (groups.at(-1)?.name !== group) groups.push({ name: group, dags: [] })
    groups.at(-1)?.dags.push({
      fileName,
      ...(state !== 'never' && { status: runStatusCode(state) }),
      ...(suspended && { suspended }),
    })
  }
  return { total, groups }
}
