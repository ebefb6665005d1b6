import type { InferOutput } from 'valibot'
import type { RunState } from '#lib/runs/read/load-run.ts'
import type { ListedRun, StepRecord, StepTry } from '#lib/runs/read/run-record.ts'
import type { Node, RunDetails, RunFacts } from '../schemas/run.ts'
import { definitionDigest } from './definition-digest.ts'
import { inMs, timestamp } from './timestamp.ts'

type Details = InferOutput<typeof RunDetails>
type NodeFacts = Pick<
  InferOutput<typeof Node>,
  'startedAtMs' | 'finishedAtMs' | 'exitCode' | 'waitUntil' | 'waitUntilMs' | 'outputs' | 'tries'
>

/** Fields of a run that lists show only on request, because older clients do not read them. */
export function presentRunFacts(run: ListedRun): InferOutput<typeof RunFacts> {
  const { attempt, queuedAt, startedAt, finishedAt, scheduledAt, fileName } = run
  return {
    attempt,
    ...inMs({ queuedAt, startedAt, finishedAt, scheduledAt }),
    ...(fileName !== undefined && { fileName }),
  }
}

type DetailFacts = Pick<
  Details,
  | 'createdAtMs'
  | 'trigger'
  | 'scheduledAt'
  | 'priority'
  | 'queue'
  | 'stopRequestedAt'
  | 'stopRequestedAtMs'
  | 'worker'
  | 'specHash'
  | 'lastSuccess'
  | 'version'
>

/** What only the details of a run show of it. A run that does not exist has no such facts. */
export function presentDetailFacts({
  run,
  definition,
  lastSuccess: last,
  version,
}: RunState): Partial<DetailFacts> {
  const { runId, createdAt, scheduledAt, stopRequestedAt, queue, trigger, priority, owner: id } = run
  if (runId === '') return {}
  return {
    ...presentRunFacts(run),
    ...inMs({ createdAt, stopRequestedAt }),
    trigger,
    ...(scheduledAt !== undefined && { scheduledAt: timestamp(scheduledAt) }),
    ...(stopRequestedAt !== undefined && { stopRequestedAt: timestamp(stopRequestedAt) }),
    priority,
    ...(queue !== undefined && { queue }),
    ...(id !== undefined && { worker: { id, host: run.ownerHost } }),
    specHash: definitionDigest(definition),
    ...(version !== undefined && { version }),
    ...(last !== undefined && {
      lastSuccess: {
        dagRunId: last.runId,
        specHash: definitionDigest(last.definition),
        ...(last.version !== undefined && { version: last.version }),
      },
    }),
  }
}

/** The result of a step beyond its status. Its times are those of its latest attempt. */
export function presentNodeFacts(
  record: StepRecord | undefined,
  past: readonly StepTry[] | undefined,
): NodeFacts {
  if (record === undefined) return past === undefined ? {} : { tries: past.map(presentTry) }
  const { startedAt, exitCode, waitUntil, outputs } = record
  const finishedAt = startedAt === undefined ? undefined : record.finishedAt
  return {
    ...inMs({ startedAt, finishedAt }),
    ...(exitCode !== undefined && { exitCode }),
    ...(waitUntil !== undefined && { waitUntil: timestamp(waitUntil), ...inMs({ waitUntil }) }),
    ...(outputs !== undefined && { outputs }),
    ...presentTries(record, past),
  }
}

/** A step with a single try in all its attempts has no list: its other fields say the same. */
function presentTries(record: StepRecord, past: readonly StepTry[] | undefined): Pick<NodeFacts, 'tries'> {
  if (record.tries === undefined && past === undefined) return {}
  return { tries: [...(past ?? []), ...triesOf(record)].map(presentTry) }
}

/** The tries of a step in the attempt of the run in which it last ran. */
function triesOf(record: StepRecord): readonly StepTry[] {
  if (record.tries !== undefined) return record.tries
  const { attempt, status, startedAt, finishedAt, exitCode, error } = record
  if (startedAt === undefined || finishedAt === undefined) return []
  return [
    { attempt, number: 1, startedAt, finishedAt, error, status, ...(exitCode !== undefined && { exitCode }) },
  ]
}

type WireTry = NonNullable<NodeFacts['tries']>[number]

function presentTry({ attempt, number, startedAt, finishedAt, exitCode, error, logLine }: StepTry): WireTry {
  return {
    attempt,
    number,
    ...inMs({ startedAt, finishedAt }),
    ...(exitCode !== undefined && { exitCode }),
    error,
    ...(logLine !== undefined && { logLine }),
  }
}
