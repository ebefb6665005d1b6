import { boolean, customType, integer, jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

/** The tables of migrations/ for Drizzle. 64-bit keys are strings, because JavaScript numbers are not exact there. */
const millrace = pgSchema('millrace')

const key = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' })
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

export const definition = millrace.table('definition', {
  hash: text('hash').primaryKey(),
  spec: text('spec').notNull(),
  baseSpec: text('base_spec'),
})

export const dag = millrace.table('dag', {
  fileName: text('file_name').primaryKey(),
  dagName: text('dag_name').notNull(),
  definitionHash: text('definition_hash').notNull(),
  version: integer('version').notNull().default(1),
  summary: jsonb('summary').notNull(),
  tags: text('tags').array().notNull(),
  groupName: text('group_name').notNull(),
  problems: text('problems').array().notNull(),
  queue: text('queue'),
  maxActiveRuns: integer('max_active_runs').notNull(),
  runSettings: jsonb('run_settings').notNull(),
  stepNames: text('step_names'),
  suspendedAt: time('suspended_at'),
  suspendedBy: text('suspended_by'),
  resumedAt: time('resumed_at'),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
})

export const queue = millrace.table('queue', {
  name: text('name').primaryKey(),
  maxConcurrency: integer('max_concurrency'),
  priority: integer('priority').notNull(),
})

/** An earlier attempt of a run. Times are ISO 8601. */
export interface PastAttemptRow {
  readonly attempt: number
  readonly status: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly error?: string
}

export const dagRun = millrace.table('dag_run', {
  runKey: key('run_key').primaryKey(),
  runId: text('run_id').notNull(),
  dagName: text('dag_name').notNull(),
  fileName: text('file_name'),
  definitionHash: text('definition_hash').notNull(),
  document: text('local_dag'),
  paramsGiven: text('params_given'),
  inputs: jsonb('inputs'),
  status: text('status').notNull(),
  attempt: integer('attempt').notNull(),
  pastAttempts: jsonb('past_attempts').$type<readonly PastAttemptRow[]>(),
  triggerType: text('trigger_type').notNull(),
  triggeredBy: text('triggered_by'),
  scheduledAt: time('scheduled_at'),
  leaseOwner: text('lease_owner'),
  queue: text('queue'),
  priority: integer('priority').notNull(),
  rootKey: key('root_key'),
  parentKey: key('parent_key'),
  parentStep: text('parent_step'),
  parentIteration: integer('parent_iteration').notNull(),
  ending: text('ending'),
  stopRequestedAt: time('stop_requested_at'),
  error: text('error'),
  createdAt: time('created_at').notNull(),
  queuedAt: time('queued_at'),
  startedAt: time('started_at'),
  finishedAt: time('finished_at'),
})

export const dagRunStep = millrace.table('dag_run_step', {
  runKey: key('run_key').notNull(),
  name: text('name').notNull(),
  place: integer('place').notNull(),
  status: text('status').notNull(),
  attempt: integer('attempt').notNull(),
  retryCount: integer('retry_count').notNull(),
  doneCount: integer('done_count').notNull(),
  exitCode: integer('exit_code'),
  error: text('error').notNull(),
  tolerated: boolean('tolerated').notNull(),
  outputs: jsonb('outputs').$type<Record<string, string>>().notNull(),
  conditions: jsonb('conditions').$type<{ met: boolean; error: string }[]>().notNull(),
  startedAt: time('started_at'),
  finishedAt: time('finished_at'),
})
