import { sql, type SQL } from 'drizzle-orm'
import { alias, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { limits } from '#lib/core/limits.ts'
import { dagRun, type PastAttemptRow } from '#lib/db/schema.ts'
import type { Sql } from '#lib/db/statement.ts'
import type { RunStatus } from '#lib/core/status.ts'
import type { Ending } from '#lib/engine/progress.ts'
import type { ListedRun, PastAttempt, RunRecord } from './run-record.ts'

export const rootRun = alias(dagRun, 'root')
export const parentRun = alias(dagRun, 'parent')

/** A time as milliseconds since 1970. */
export const msOf = (column: AnyPgColumn): SQL<number | null> =>
  sql`floor(date_part('epoch', ${column}) * 1000 + 0.0005)`.mapWith((value: unknown) =>
    value === null ? null : Number(value),
  )

/** Columns of a run that are read from its own row. */
export const ownColumns = {
  runKey: sql<string>`${dagRun.runKey}::text`,
  runId: dagRun.runId,
  dagName: dagRun.dagName,
  fileName: dagRun.fileName,
  document: dagRun.document,
  definitionHash: dagRun.definitionHash,
  status: dagRun.status,
  attempt: dagRun.attempt,
  trigger: dagRun.triggerType,
  scheduledAt: msOf(dagRun.scheduledAt),
  owner: dagRun.leaseOwner,
  queue: dagRun.queue,
  queuedAt: msOf(dagRun.queuedAt),
  startedAt: msOf(dagRun.startedAt),
  finishedAt: msOf(dagRun.finishedAt),
  paramsGiven: dagRun.paramsGiven,
  params: sql<{ name: string; value: string }[] | null>`${dagRun.inputs} -> 'params'`,
  ending: dagRun.ending,
  error: dagRun.error,
  priority: dagRun.priority,
  createdAt: sql<number>`${msOf(dagRun.createdAt)}`.mapWith(Number),
  stopRequestedAt: msOf(dagRun.stopRequestedAt),
  pastAttempts: dagRun.pastAttempts,
  triggeredBy: dagRun.triggeredBy,
  ownerHost: sql<string | null>`(select host from millrace.worker where id = ${dagRun.leaseOwner})`,
}

/**
 * A {@link ListedRow}, for queries without Drizzle. Each column costs a long list about 5 % of its time, so only shown
 * columns are read. Times use `date_part`, which returns floats: cheaper than `extract`, and exact enough. Long params
 * are truncated, because a page may have 1,000 runs. The ellipsis is escaped: a bundle keeps the text of a template,
 * and because of one such character V8 would store the whole bundle in two bytes per character.
 */
export const rowOfListedRun = (sql: Sql) => sql`
  ${listedColumns(sql)},
  case when octet_length(params_given) > ${limits.listedParamsBytesMax}::int then null else params_given
    end as "paramsGiven",
  case when octet_length(params_given) > ${limits.listedParamsBytesMax}::int
    then jsonb_build_array(jsonb_build_object('name', '\u2026', 'value',
      left(params_given, ${limits.listedParamsLength}::int) || '\u2026'))
    else inputs -> 'params' end as params`

const listedColumns = (sql: Sql) => sql`
  run_key::text as "runKey", run_id as "runId", dag_name as "dagName", file_name as "fileName", status, attempt,
  trigger_type as trigger, triggered_by as "triggeredBy", lease_owner as owner,
  floor(date_part('epoch', scheduled_at) * 1000 + 0.0005) as "scheduledAt",
  floor(date_part('epoch', queued_at) * 1000 + 0.0005) as "queuedAt",
  floor(date_part('epoch', started_at) * 1000 + 0.0005) as "startedAt",
  floor(date_part('epoch', finished_at) * 1000 + 0.0005) as "finishedAt"`

/** A {@link RunRow}, for queries without Drizzle. */
export const rowOfRun = (sql: Sql) => sql`
  ${listedColumns(sql)}, params_given as "paramsGiven", inputs -> 'params' as params,
  local_dag as document, definition_hash as "definitionHash", queue, priority, ending, error,
  floor(date_part('epoch', created_at) * 1000 + 0.0005) as "createdAt",
  floor(date_part('epoch', stop_requested_at) * 1000 + 0.0005) as "stopRequestedAt",
  past_attempts as "pastAttempts",
  (select host from millrace.worker where id = lease_owner) as "ownerHost"`

/** Columns of a run that may be a child: `dag_run`, left-joined to its root and its parent. */
export const runColumns = {
  ...ownColumns,
  rootName: rootRun.dagName,
  rootId: rootRun.runId,
  parentName: parentRun.dagName,
  parentId: parentRun.runId,
}

/** A row of a list of runs. Lists of root runs may omit the columns of root and parent. */
export interface ListedRow {
  readonly runKey: string
  readonly runId: string
  readonly dagName: string
  readonly fileName: string | null
  readonly status: string
  readonly attempt: number
  readonly trigger: string
  readonly triggeredBy: string | null
  readonly scheduledAt: number | null
  readonly owner: string | null
  readonly queuedAt: number | null
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly paramsGiven: string | null
  readonly params: { name: string; value: string }[] | null
  readonly rootName?: string | null
  readonly rootId?: string | null
  readonly parentName?: string | null
  readonly parentId?: string | null
}

/** A row of a run with all columns. */
export interface RunRow extends ListedRow {
  readonly document: string | null
  readonly definitionHash: string
  readonly queue: string | null
  readonly priority: number
  readonly createdAt: number
  readonly stopRequestedAt: number | null
  readonly ending: string | null
  readonly error: string | null
  readonly pastAttempts: readonly PastAttemptRow[] | null
  readonly ownerHost: string | null
}

/** The cast is safe: a check constraint limits `status` to these words. */
export function toListedRun(row: ListedRow): ListedRun {
  const { runId, dagName, parentName = null, parentId = null } = row
  return {
    runKey: row.runKey,
    runId,
    dagName,
    fileName: row.fileName ?? undefined,
    status: row.status as RunStatus,
    attempt: row.attempt,
    trigger: row.trigger,
    triggeredBy: row.triggeredBy ?? undefined,
    scheduledAt: row.scheduledAt ?? undefined,
    owner: row.owner ?? undefined,
    root: { dagName: row.rootName ?? dagName, runId: row.rootId ?? runId },
    parent: parentName === null || parentId === null ? undefined : { dagName: parentName, runId: parentId },
    queuedAt: row.queuedAt ?? undefined,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    paramsGiven: row.paramsGiven ?? undefined,
    params: row.params ?? undefined,
  }
}

/** The cast is safe: a check constraint limits `ending` to these words. */
export function toRunRecord(row: RunRow): RunRecord {
  return {
    ...toListedRun(row),
    document: row.document ?? undefined,
    definitionHash: row.definitionHash,
    queue: row.queue ?? undefined,
    priority: row.priority,
    createdAt: row.createdAt,
    stopRequestedAt: row.stopRequestedAt ?? undefined,
    ending: (row.ending as Ending | null) ?? undefined,
    error: row.error ?? '',
    pastAttempts: (row.pastAttempts ?? []).map(toPastAttempt),
    ownerHost: row.ownerHost ?? '',
  }
}

function toPastAttempt({ attempt, status, startedAt, finishedAt, error }: PastAttemptRow): PastAttempt {
  return {
    attempt,
    status: status as RunStatus,
    startedAt: startedAt === undefined ? undefined : Date.parse(startedAt),
    finishedAt: finishedAt === undefined ? undefined : Date.parse(finishedAt),
    error: error ?? '',
  }
}
