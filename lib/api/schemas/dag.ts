import * as v from 'valibot'
import { RunDetails, RunSummary } from './run.ts'
import { Precondition, Step } from './step.ts'

const strings = v.array(v.string())
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const summaryEntries = {
  name: v.string(),
  group: v.string(),
  schedule: v.array(v.object({ expression: v.pipe(v.string(), v.description('Cron expression')) })),
  description: v.string(),
  params: v.pipe(strings, v.description('Names of the parameters')),
  defaultParams: v.pipe(v.string(), v.description('Default parameters, as `NAME="value"` pairs')),
  tags: strings,
}

export const DagSummary = v.object(summaryEntries)

export const DagDetails = v.object({
  ...summaryEntries,
  env: v.pipe(strings, v.description('`NAME=value`, as written')),
  logDir: v.string(),
  handlerOn: v.object({
    init: v.exactOptional(Step),
    success: v.exactOptional(Step),
    failure: v.exactOptional(Step),
    cancel: v.exactOptional(Step),
    exit: v.exactOptional(Step),
  }),
  steps: v.array(Step),
  delay: v.pipe(v.number(), v.integer(), v.description('Seconds')),
  histRetentionDays: v.pipe(v.number(), v.integer()),
  preconditions: v.array(Precondition),
  maxActiveRuns: v.pipe(v.number(), v.integer()),
  maxActiveSteps: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.description('0: no limit; with the labels of 1.23 left out then')),
  ),
  queue: v.exactOptional(v.string()),
  runConfig: v.exactOptional(v.object({ disableParamEdit: v.boolean(), disableRunIdEdit: v.boolean() })),
})

export const LocalDag = v.object({ name: v.string(), dag: DagDetails, errors: strings })

const milliseconds = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)))

/** A run as one bar of a row. */
export const BriefRun = v.object({
  dagRunId: v.string(),
  status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6)),
  statusLabel: v.string(),
  startedAtMs: milliseconds,
  durationMs: milliseconds,
  triggerType: v.string(),
})

export const DagListItem = v.object({
  fileName: v.string(),
  dag: DagSummary,
  latestDAGRun: v.pipe(RunSummary, v.description('Without a `dagRunId` when the DAG never ran')),
  suspended: v.boolean(),
  nextRun: v.pipe(v.string(), v.description('The next scheduled start; empty when there is none')),
  nextRunAt: v.exactOptional(v.pipe(v.string(), v.description('The same; absent when there is none'))),
  nextRunZone: v.exactOptional(v.pipe(v.string(), v.description('The time zone of that schedule'))),
  updatedAt: v.pipe(v.string(), v.description('When its text was saved last')),
  source: v.pipe(
    v.picklist(['database', 'folder']),
    v.description('`folder`: its text is changed in the folder of DAGs'),
  ),
  errors: strings,
  recentRuns: v.exactOptional(
    v.pipe(v.array(BriefRun), v.description('The newest runs, newest first; only with `runs`')),
  ),
})

const pageNumber = v.pipe(v.number(), v.integer())

export const Pagination = v.object({
  totalRecords: pageNumber,
  currentPage: pageNumber,
  totalPages: pageNumber,
  nextPage: v.nullable(pageNumber),
  prevPage: v.nullable(pageNumber),
})

export const DagList = v.object({ dags: v.array(DagListItem), errors: strings, pagination: Pagination })

export const DagAnswer = v.object({
  dag: DagDetails,
  localDags: v.array(LocalDag),
  latestDAGRun: v.pipe(RunDetails, v.description('Without a `dagRunId` when the DAG never ran')),
  suspended: v.boolean(),
  suspendedAt: v.exactOptional(v.pipe(v.string(), v.description('Since when; only while suspended'))),
  suspendedBy: v.exactOptional(v.pipe(v.string(), v.description('By whom; absent without authentication'))),
  errors: strings,
  paramDefs: v.pipe(
    v.array(
      v.object({
        name: v.exactOptional(v.pipe(v.string(), v.description('Absent: a param without a name'))),
        position: v.exactOptional(
          v.pipe(v.number(), v.integer(), v.description('Of a param without a name')),
        ),
        default: v.string(),
      }),
    ),
    v.description('Params in the order of the file, with their defaults as written'),
  ),
  paramsSchema: v.exactOptional(
    v.pipe(v.record(v.string(), v.unknown()), v.description('JSON Schema that the params must satisfy')),
  ),
  version: v.pipe(
    v.number(),
    v.integer(),
    v.description('Starts at 1, plus one for each change of its text or name'),
  ),
  updatedAt: v.string(),
  nextRuns: v.pipe(
    strings,
    v.description('The next five scheduled starts, soonest first; none while suspended'),
  ),
})

export const DagCounts = v.object({
  total: count,
  byState: v.pipe(
    v.record(v.string(), count),
    v.description('DAGs by the status of their newest run, as a word; `never`: without a run'),
  ),
  suspended: count,
  withErrors: count,
  tags: v.array(v.object({ name: v.string(), count })),
  groups: v.pipe(
    v.array(v.object({ name: v.string(), count })),
    v.description('Excludes DAGs without a group'),
  ),
})

export const DagStates = v.object({
  total: v.pipe(count, v.description('Includes those that the answer omits')),
  groups: v.array(
    v.object({
      name: v.pipe(v.string(), v.description('Empty: DAGs without a group')),
      dags: v.array(
        v.object({
          fileName: v.string(),
          status: v.exactOptional(
            v.pipe(
              v.number(),
              v.integer(),
              v.minValue(0),
              v.maxValue(6),
              v.description('Of its newest run; absent: it never ran'),
            ),
          ),
          suspended: v.exactOptional(v.literal(true)),
        }),
      ),
    }),
  ),
})

export const SpecAnswer = v.object({
  dag: DagDetails,
  spec: v.string(),
  readOnly: v.exactOptional(
    v.pipe(v.string(), v.description('Why the text cannot be saved here; absent if it can')),
  ),
  errors: strings,
})

export const RunPlan = v.object({
  order: v.pipe(v.array(strings), v.description('Steps that start together, if every step succeeds')),
  steps: v.array(
    v.object({
      name: v.string(),
      handler: v.exactOptional(v.string()),
      executor: v.string(),
      dependsOn: strings,
      work: v.pipe(strings, v.description('What it runs, with all values known before the run')),
    }),
  ),
  values: v.array(
    v.object({
      name: v.string(),
      value: v.string(),
      origin: v.picklist(['default', 'given', 'env', 'secret']),
    }),
  ),
  nextFires: v.pipe(strings, v.description('Scheduled starts to come, soonest first')),
  queue: v.string(),
  workerSelector: v.record(v.string(), v.string()),
  warnings: strings,
})

const position = v.pipe(v.number(), v.integer(), v.minValue(1))
const Problem = v.object({
  message: v.string(),
  line: v.exactOptional(v.pipe(position, v.description('Counted from 1'))),
  column: v.exactOptional(v.pipe(position, v.description('Counted from 1'))),
  endLine: v.exactOptional(v.pipe(position, v.description('Where a wrong single value ends'))),
  endColumn: v.exactOptional(v.pipe(position, v.description('The first column after it'))),
})
const StepOfText = v.object({
  name: v.string(),
  depends: v.pipe(strings, v.description('Names of steps, including those that a chain adds')),
  call: v.exactOptional(v.pipe(v.string(), v.description('The DAG that it calls, as written'))),
  firstLine: v.pipe(position, v.description('Counted from 1')),
  lastLine: position,
})
const problems = v.pipe(v.array(Problem), v.description('`errors` with their positions'))
export const warnings = v.pipe(
  v.array(Problem),
  v.description('Problems that do not keep the DAG from running'),
)

export const ValidateAnswer = v.object({
  valid: v.boolean(),
  errors: strings,
  problems,
  warnings,
  steps: v.pipe(
    v.array(StepOfText),
    v.description('The steps of the text with their positions, as far as the text could be parsed'),
  ),
  dag: DagSummary,
  plan: v.exactOptional(RunPlan),
})

export const SearchQuery = v.object({
  q: v.pipe(v.string(), v.maxLength(256, 'must be at most 256 characters long')),
})

export const SearchAnswer = v.object({
  results: v.array(
    v.object({
      name: v.string(),
      dag: DagSummary,
      matches: v.array(
        v.object({
          line: v.pipe(v.string(), v.description('The matching line with up to two lines on either side')),
          lineNumber: v.pipe(v.number(), v.integer(), v.description('The matching line, counted from 1')),
          startLine: v.pipe(v.number(), v.integer(), v.description('The first line of `line`')),
        }),
      ),
    }),
  ),
  errors: strings,
})

export const TagsAnswer = v.object({ tags: strings, errors: strings })
export const CreateDagAnswer = v.object({ name: v.string(), warnings })
export const UpdateSpecAnswer = v.object({
  errors: v.exactOptional(
    v.pipe(strings, v.description('With the labels of 1.23 left out when there are none')),
  ),
  problems,
  warnings,
})
export const ErrorsAnswer = v.object({ errors: strings })

/** Components of the OpenAPI document: each use refers to them by these names. */
export const components = { DagSummary, DagDetails, DagListItem, LocalDag, Pagination, Problem }
