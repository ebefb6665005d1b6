import type { InferOutput, ObjectSchema } from 'valibot'
import type { Database } from '#lib/db/client.ts'
import { listRuns, pagesOfRuns } from '#lib/runs/read/list-runs.ts'
import type { ListedRun } from '#lib/runs/read/run-record.ts'
import { Rows } from '#lib/api/answers/rows.ts'
import { runFilterOf } from '#lib/api/requests/run-filter-of.ts'
import type { RunDagName, RunFilterEntries } from '../schemas/run-filter.ts'
import type { Presentation } from './presentation.ts'
import { presentRunFacts } from './run-facts.ts'
import { presentRunSummary } from './run-summary.ts'

type Asked = InferOutput<ObjectSchema<typeof RunFilterEntries & { name: typeof RunDagName }, undefined>>

/** One page when the caller asks for pages, else all runs that fit, as they are read. */
export async function presentRunList(
  { db, logs, labels }: { readonly db: Database } & Presentation,
  { limit, cursor, fields, fromDate, toDate, dagRunId, ...choice }: Asked,
): Promise<Rows> {
  const filter = {
    ...runFilterOf(choice),
    ...(fromDate !== undefined && { fromDate }),
    ...(toDate !== undefined && { toDate }),
    ...(dagRunId !== undefined && { dagRunId }),
  }
  const present = (runs: readonly ListedRun[]) =>
    runs.map((run) => ({
      ...presentRunSummary(run, { logs, labels }),
      ...(fields === 'more' && presentRunFacts(run)),
    }))
  if (limit !== undefined) {
    const { runs, next } = await listRuns(db, filter, { limit, cursor })
    return new Rows('dagRuns', [present(runs)], next === undefined ? {} : { nextCursor: next })
  }
  return new Rows('dagRuns', pages(), {})

  async function* pages() {
    for await (const runs of pagesOfRuns(db, filter, cursor)) yield present(runs)
  }
}
