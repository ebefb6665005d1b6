import type { InferOutput } from 'valibot'
import { explainRun } from '#lib/runs/explain/explain-run.ts'
import { loadRootRun } from '#lib/runs/read/load-run.ts'
import type { RunRef } from '#lib/runs/read/run-record.ts'
import { presentReasons } from '#lib/api/present/reasons.ts'
import type { WhyAnswer } from '#lib/api/schemas/run.ts'
import type { Services } from '#lib/api/services.ts'
import { viewed, type View } from '#lib/api/auth/shown-to.ts'

/** What a root run waits for, or what has ended it. @throws ServiceError `not_found` */
export async function explain(
  { db, definitions, labels }: Pick<Services, 'db' | 'definitions' | 'labels'>,
  ref: RunRef,
  view: View,
): Promise<InferOutput<typeof WhyAnswer>> {
  const state = viewed(await loadRootRun(db, definitions, ref), view)
  return presentReasons(state.run, await explainRun(db, state), labels)
}
