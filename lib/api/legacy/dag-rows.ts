import type { InferOutput } from 'valibot'
import type { DagList } from '../schemas/dag.ts'
import { legacyKeys } from './keys.ts'

/** A page of DAGs as the old API shows it. */
export function legacyDagRows({ dags, errors, pagination }: InferOutput<typeof DagList>) {
  const rows = dags.map((listed) => ({
    File: `${listed.fileName}.yaml`,
    DAG: legacyKeys(listed.dag),
    Status: listed.latestDAGRun.dagRunId === '' ? null : legacyKeys(listed.latestDAGRun),
    Suspended: listed.suspended,
    Error: listed.errors.join('; '),
  }))
  return { DAGs: rows, Errors: errors, HasError: errors.length > 0, PageCount: pagination.totalPages }
}
