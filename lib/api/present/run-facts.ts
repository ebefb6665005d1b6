import type { InferOutput } from 'valibot'
import type { ListedRun, RunRecord, StepRecord } from '#lib/runs/read/run-record.ts'
import type { Node, RunDetails, RunFacts } from '../schemas/run.ts'
import { inMs } from './timestamp.ts'

type Details = InferOutput<typeof RunDetails>
type NodeFacts = Pick<InferOutput<typeof Node>, 'startedAtMs' | 'finishedAtMs' | 'exitCode'>

/** What a list shows of a run only when it is asked to: no client of before reads it. */
export function presentRunFacts(run: ListedRun): InferOutput<typeof RunFacts> {
  const { attempt, queuedAt, startedAt, finishedAt, scheduledAt, fileName } = run
  return {
    attempt,
    ...inMs({ queuedAt, startedAt, finishedAt, scheduledAt }),
    ...(fileName !== undefined && { fileName }),
  }
}

/** What only the details of a run show of it. A run that does not exist has no such facts. */
export function presentDetailFacts(
  run: RunRecord,
): Partial<Pick<Details, 'createdAtMs' | 'priority' | 'queue' | 'stopRequestedAtMs'>> {
  const { runId, createdAt, stopRequestedAt, queue, priority } = run
  if (runId === '') return {}
  return {
    ...presentRunFacts(run),
    ...inMs({ createdAt, stopRequestedAt }),
    priority,
    ...(queue !== undefined && { queue }),
  }
}

/** What became of a step, beyond its status. Its times are those of its latest attempt. */
export function presentNodeFacts(record: StepRecord | undefined): NodeFacts {
  if (record === undefined) return {}
  const { startedAt, exitCode } = record
  const finishedAt = startedAt === undefined ? undefined : record.finishedAt
  return {
    ...inMs({ startedAt, finishedAt }),
    ...(exitCode !== undefined && { exitCode }),
  }
}
