import * as v from 'valibot'
import { triggerTypes } from '../present/trigger-type.ts'
import { milliseconds, StepTries } from './step-tries.ts'
import { Precondition, Step } from './step.ts'

const Timestamp = v.pipe(
  v.string(),
  v.regex(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$/),
  v.description('RFC 3339 with seconds; empty when it does not apply'),
)
const RunStatusCode = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const durationMs = v.exactOptional(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description('From start to end; only once it has ended')),
)

/** In lists, only with `fields=more`. */
const factEntries = {
  attempt: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description('Starts at 1, plus one for each retry of the run'),
    ),
  ),
  queuedAtMs: milliseconds,
  startedAtMs: milliseconds,
  finishedAtMs: milliseconds,
  scheduledAtMs: milliseconds,
  fileName: v.exactOptional(
    v.pipe(
      v.string(),
      v.description('The DAG file that was run; absent for a DAG that was given in the call'),
    ),
  ),
}
export const RunFacts = v.object(factEntries)

const summaryEntries = {
  rootDAGRunName: v.string(),
  rootDAGRunId: v.string(),
  parentDAGRunName: v.pipe(v.string(), v.description('Empty for root runs')),
  parentDAGRunId: v.string(),
  dagRunId: v.string(),
  name: v.string(),
  status: RunStatusCode,
  statusLabel: v.string(),
  queuedAt: Timestamp,
  startedAt: Timestamp,
  finishedAt: Timestamp,
  durationMs,
  log: v.pipe(v.string(), v.description('Location of the log')),
  params: v.string(),
  triggerType: v.pipe(
    v.picklist(triggerTypes),
    v.description('What created the run; `unknown` for a DAG that has not run'),
  ),
  triggeredBy: v.exactOptional(
    v.pipe(
      v.string(),
      v.description('Who started it, if callers sign in; for a run started from SQL, the database role'),
    ),
  ),
  scheduleTime: v.pipe(
    Timestamp,
    v.description('The time of the schedule that started it; empty for other runs'),
  ),
  workerId: v.pipe(v.string(), v.description('The runner that executes it now; empty when none does')),
}

export const RunSummary = v.object({ ...summaryEntries, ...factEntries })

/** A run as the list of queues shows it. */
export const QueuedRun = v.object({
  dagRunId: v.string(),
  name: v.string(),
  status: RunStatusCode,
  statusLabel: v.string(),
  startedAt: Timestamp,
  finishedAt: Timestamp,
  log: v.string(),
})

export const ChildRef = v.object({
  dagRunId: v.string(),
  name: v.string(),
  params: v.string(),
  status: RunStatusCode,
  statusLabel: v.string(),
})

export const Node = v.object({
  step: Step,
  stdout: v.string(),
  stderr: v.string(),
  startedAt: Timestamp,
  finishedAt: Timestamp,
  durationMs,
  startedAtMs: milliseconds,
  finishedAtMs: milliseconds,
  exitCode: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.description('Of the latest try; absent when nothing has ended with one'),
    ),
  ),
  tries: v.exactOptional(StepTries),
  waitUntil: v.exactOptional(v.pipe(Timestamp, v.description('When it is tried again, or repeated'))),
  waitUntilMs: milliseconds,
  outputs: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.string()),
      v.description('Captured outputs, 500 characters of each; absent if they are large: see `…/outputs`'),
    ),
  ),
  status: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(6),
    v.description('0 to 5; with the labels of 1.23 also 6, partial success'),
  ),
  statusLabel: v.string(),
  retryCount: count,
  doneCount: count,
  children: v.array(ChildRef),
  childrenRepeated: v.array(ChildRef),
  subRuns: v.pipe(v.array(ChildRef), v.description('The same as `children`')),
  subRunsRepeated: v.pipe(v.array(ChildRef), v.description('The same as `childrenRepeated`')),
  error: v.string(),
})

const Attempt = v.object({
  attempt: v.pipe(v.number(), v.integer(), v.minValue(1)),
  status: RunStatusCode,
  statusLabel: v.string(),
  startedAt: Timestamp,
  finishedAt: Timestamp,
  durationMs,
  error: v.string(),
  log: v.pipe(v.string(), v.description('Location of the log; empty if the attempt has none')),
})

export const RunDetails = v.object({
  ...summaryEntries,
  ...factEntries,
  createdAtMs: milliseconds,
  trigger: v.exactOptional(
    v.pipe(v.string(), v.description('What created the run: api, sql, schedule, child or retry')),
  ),
  scheduledAt: v.exactOptional(v.pipe(Timestamp, v.description('The same as `scheduleTime`'))),
  stopRequestedAt: v.exactOptional(v.pipe(Timestamp, v.description('When somebody asked it to stop'))),
  stopRequestedAtMs: milliseconds,
  queue: v.exactOptional(v.string()),
  priority: v.exactOptional(v.pipe(v.number(), v.integer())),
  worker: v.exactOptional(
    v.pipe(
      v.object({ id: v.string(), host: v.pipe(v.string(), v.description('Empty when the runner is gone')) }),
      v.description('The runner that executes it now'),
    ),
  ),
  specHash: v.exactOptional(
    v.pipe(v.string(), v.description('Digest of the definition, as far as the caller may see it')),
  ),
  version: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.description('The version of its DAG, as long as that version is kept')),
  ),
  lastSuccess: v.exactOptional(
    v.pipe(
      v.object({
        dagRunId: v.string(),
        specHash: v.string(),
        version: v.exactOptional(v.pipe(v.number(), v.integer())),
      }),
      v.description('For a run that ended without success: the newest success among the 200 runs before it'),
    ),
  ),
  attempts: v.exactOptional(
    v.pipe(
      v.array(Attempt),
      v.description(
        'For a retried run: its attempts, the current one last, up to 101. Logs accept their number as `attempt`',
      ),
    ),
  ),
  nodes: v.array(Node),
  onInit: v.nullable(Node),
  onExit: v.nullable(Node),
  onSuccess: v.nullable(Node),
  onFailure: v.nullable(Node),
  onCancel: v.nullable(Node),
  preconditions: v.array(Precondition),
  error: v.pipe(v.string(), v.description('Why the run did not succeed, unless a step error explains it')),
})

export const RunList = v.object({
  dagRuns: v.array(RunSummary),
  nextCursor: v.exactOptional(
    v.pipe(v.string(), v.description('Where the next page begins, if there is one')),
  ),
})
export const Histogram = v.array(
  v.object({
    at: v.pipe(Timestamp, v.description('Where the bucket begins, by the creation of runs')),
    counts: v.pipe(
      v.record(v.string(), count),
      v.description('Runs by status, as a word; without those that no run has'),
    ),
    p50Ms: v.exactOptional(
      v.pipe(count, v.description('Median duration of the finished runs; absent if none has finished')),
    ),
  }),
)

export const Reason = v.object({
  rule: v.pipe(v.string(), v.description('The rule that holds the run back, as a word for programs')),
  text: v.pipe(v.string(), v.description('The same as a sentence for people')),
  step: v.exactOptional(v.string()),
  runs: v.exactOptional(v.array(v.object({ name: v.string(), dagRunId: v.string() }))),
})

export const WhyAnswer = v.object({
  status: RunStatusCode,
  statusLabel: v.string(),
  reasons: v.array(Reason),
})

export const RunAnswer = v.object({
  dagRun: RunDetails,
  dagRunDetails: RunDetails,
  why: v.exactOptional(v.pipe(WhyAnswer, v.description('Only with `why=true`'))),
})
export const RunOfDagAnswer = v.object({ dagRun: RunDetails })
export const RunIdAnswer = v.object({ dagRunId: v.string() })

export const RescheduleAnswer = v.object({
  dagRunId: v.string(),
  queued: v.pipe(v.boolean(), v.description('false: the run waits for a runner only')),
})

export const HistoryAnswer = v.object({
  dagRuns: v.array(v.object({ ...summaryEntries, nodes: v.array(Node) })),
  gridData: v.array(
    v.object({
      name: v.string(),
      history: v.pipe(
        v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(5))),
        v.description('Status of the step in each of `dagRuns`, in their order'),
      ),
    }),
  ),
  nextCursor: v.exactOptional(
    v.pipe(v.string(), v.description('Where the next page begins, if there is one; only with `limit`')),
  ),
})

const ListedChild = v.object({
  dagRunId: v.string(),
  name: v.string(),
  params: v.string(),
  status: RunStatusCode,
  statusLabel: v.string(),
  startedAt: Timestamp,
  finishedAt: Timestamp,
})

export const ChildrenAnswer = v.object({
  subRuns: v.array(ListedChild),
})

export const RunSpecAnswer = v.object({ spec: v.string() })

export const OutputsAnswer = v.object({
  metadata: v.object({
    dagName: v.string(),
    dagRunId: v.string(),
    attemptId: v.string(),
    status: v.string(),
    completedAt: Timestamp,
    params: v.string(),
  }),
  outputs: v.record(v.string(), v.string()),
})

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { RunSummary, RunDetails, Node, QueuedRun, Attempt, Reason, ChildRef, ListedChild }
