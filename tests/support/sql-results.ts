import * as v from 'valibot'
import type { Database } from '#lib/db/client.ts'
import type { Argument } from '#lib/db/function-call.ts'

const key = v.pipe(v.string(), v.regex(/^\d+$/))
const keys = v.array(key)
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const text = v.nullable(v.string())
const ms = v.nullable(v.number())
const nothing = v.any()
const namedText = v.strictObject({ name: v.string(), value: v.string() })
const claim = v.strictObject({ runKey: key, token: key })

const Created = v.array(
  v.strictObject({
    result: v.picklist(['created', 'repeated', 'exists', 'already_running', 'not_allowed', 'changed']),
    runId: v.nullish(v.string()),
    runKey: v.nullish(key),
  }),
)

const Claimed = v.array(
  v.strictObject({
    ...claim.entries,
    runId: v.string(),
    dagName: v.string(),
    fileName: text,
    definitionHash: v.string(),
    document: text,
    paramsGiven: text,
    inputs: v.nullable(
      v.looseObject({ params: v.array(namedText), env: v.array(namedText), workingDir: v.string() }),
    ),
    attempt: count,
    depth: count,
    rootKey: key,
    rootName: v.string(),
    rootId: v.string(),
    parentKey: v.nullable(key),
    parentName: text,
    parentId: text,
    parentWorkingDir: text,
    startedAt: v.number(),
    checked: v.boolean(),
    ending: text,
    lastStartAt: ms,
    stopRequestedAt: ms,
    lostCount: count,
    traceparent: text,
    spec: text,
    baseSpec: text,
    steps: v.array(v.looseObject({ place: count, name: v.string(), status: v.string() })),
    begun: v.array(v.looseObject({ name: v.string(), place: count })),
  }),
)

/** The results of the SQL functions that lib calls, as lib casts them, by the name of the function. */
export const sqlResults: Readonly<Record<string, v.GenericSchema>> = {
  apply_settings: v.array(v.strictObject({ name: v.string(), before: text, after: text, by: text })),
  begin_login: v.number(),
  claim_runs: Claimed,
  continue_stops: count,
  control_queue: v.boolean(),
  create_runs: Created,
  create_traced_runs: Created,
  dequeue_run: v.picklist(['dequeued', 'not_queued']),
  end_login: nothing,
  expire_leases: nothing,
  expire_versions: count,
  fire_schedule: v.nullable(Created),
  fold_ends: count,
  lease_dag_folder: v.boolean(),
  promote_queues: count,
  record: v.strictObject({ lost: keys }),
  release_stopped_runs: count,
  remove_expired_runs: keys,
  remove_unused_definitions: count,
  remove_unused_queues: count,
  renew_leases: v.strictObject({
    lost: keys,
    stopping: v.array(v.strictObject({ runKey: key, at: v.number() })),
    unknown: v.array(claim),
    now: v.number(),
  }),
  retry_run: v.picklist(['retried', 'running', 'gone']),
  set_step_status: v.picklist(['set', 'running']),
  stop_child: nothing,
  stop_run: v.picklist(['stopping', 'cancelled', 'not_running']),
  store_dag_files: v.boolean(),
  take_over_lost_runs: count,
  trim_history: keys,
  undo_claims: nothing,
  unused_folders: v.array(v.string()),
}

/** A client that checks the results of SQL functions, and throws if one differs from what lib expects. */
export function checkingResults(db: Database): Database {
  return {
    ...db,
    call: async <Result>(name: string, ...args: readonly Argument[]) => {
      const reply = await db.call<Result>(name, ...args)
      const schema = sqlResults[name]
      if (schema !== undefined) {
        const { issues } = v.safeParse(schema, reply)
        if (issues !== undefined) {
          const where = issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ')
          throw new Error(
            `millrace.${name} answers otherwise than tests/support/sql-results.ts says: ${where}`,
          )
        }
      }
      return reply
    },
    within: (limitMs) => checkingResults(db.within(limitMs)),
  }
}
