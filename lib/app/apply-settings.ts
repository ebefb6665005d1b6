import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { Config } from '#lib/config/config.ts'
import { currentDefaults } from '#lib/dags/current-defaults.ts'
import type { DagDefaults } from '#lib/dags/dag-columns.ts'
import { noteSteps } from '#lib/dags/note-steps.ts'
import { rebaseDags } from '#lib/dags/rebase-dags.ts'
import type { Database } from '#lib/db/client.ts'
import { recomputeSchedules } from '#lib/schedules/recompute-schedules.ts'
import { defaultsOf, type Deps } from './compose.ts'

/** What was different in the database; `by`: who had applied it, null for a setting that is new. */
interface Change {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
  readonly by: string | null
}

/**
 * Makes the settings of this process that all parts share (MILLRACE_TZ, MILLRACE_BASE_CONFIG, MILLRACE_QUEUES,
 * MILLRACE_DAG_VERSIONS) the ones that count: they are noted in the database, queues get their limits, DAGs the base
 * configuration, schedule entries their next times. Safe to repeat, and to continue with after a failure. Each process
 * does it once, when it starts, so of several with different settings the last to start wins, and says what was
 * different.
 * @param which `given`: only those that the environment names, also with an empty value; for processes that may be
 *   started without the settings of the deployment
 */
export async function applySettings(
  { config, db, log, defaults, part }: Pick<Deps, 'config' | 'db' | 'log' | 'defaults' | 'part'>,
  which: 'all' | 'given',
): Promise<void> {
  const all = sharedSettings(config, defaults)
  const isMeant = (name: string): boolean => which === 'all' || config.given.includes(name)
  const changes = await db.call<readonly Change[]>(
    'apply_settings',
    Object.fromEntries(Object.entries(all).filter(([name]) => isMeant(name))),
    isMeant('MILLRACE_QUEUES') ? config.queues : null,
    `${part} on ${hostname()} (${process.pid})`,
  )
  for (const change of changes) report(log, change)
  await spread({ db, log, defaults })
}

/** The settings that all parts share, as this process has them; null: the default. */
function sharedSettings(
  { queues, dagVersions }: Config,
  defaults: DagDefaults,
): Readonly<Record<string, string | null>> {
  const limits = queues.map(({ name, maxConcurrency }) => `${name}=${maxConcurrency}`)
  return {
    MILLRACE_BASE_CONFIG: defaults.base ?? null,
    MILLRACE_DAG_VERSIONS: String(dagVersions),
    MILLRACE_QUEUES: limits.toSorted().join() || null,
    MILLRACE_TZ: defaults.zone,
  }
}

/** The shared settings that count, and which process has applied them; of a file only its hash. */
export async function countingSettings(
  db: Database,
): Promise<{ readonly name: string; readonly value: string; readonly by: string }[]> {
  const rows = await db.sql<{ name: string; value: string | null; by: string }[]>`
    select name, value, applied_by as by from millrace.setting order by name`
  return rows.map(({ name, value, by }) => ({ name, value: shown(name, value), by }))
}

/** Settings that the environment names with other values than those that count. */
export async function overruledSettings(db: Database, config: Config): Promise<Change[]> {
  const own = sharedSettings(config, defaultsOf(config))
  const rows = await db.sql<{ name: string; value: string | null; by: string }[]>`
    select name, value, applied_by as by from millrace.setting order by name`
  return rows
    .filter(({ name, value }) => config.given.includes(name) && own[name] !== value)
    .map(({ name, value, by }) => ({
      name,
      by,
      before: shown(name, value),
      after: shown(name, own[name] ?? null),
    }))
}

/** Brings what is stored in line with the defaults that count, and again when another process has applied others. */
async function spread({ db, log, defaults }: Pick<Deps, 'db' | 'log' | 'defaults'>): Promise<void> {
  await noteSteps(db)
  let current = await currentDefaults(db, defaults)
  for (let done: typeof current | undefined; current.base !== done?.base || current.zone !== done?.zone;) {
    done = current
    const stay = await rebaseDags(db, current)
    if (stay.length > 0)
      log.warn({ event: 'dag.rejected', fileNames: stay }, 'DAGs have errors with the base configuration')
    await recomputeSchedules(db, current.zone)
    current = await currentDefaults(db, defaults)
  }
}

function report(log: Deps['log'], { name, by, ...values }: Change): void {
  const [before, after] = [shown(name, values.before), shown(name, values.after)]
  if (by === null) log.info({ event: 'setting.applied', name, after }, `${name} is ${after}`)
  else {
    log.warn(
      { event: 'setting.applied', name, before, after, by },
      `${name} was ${before}, applied by ${by}, and is ${after} now: the last process to start wins`,
    )
  }
}

/** A base configuration may hold secrets. */
function shown(name: string, value: string | null): string {
  if (value === null) return 'the default'
  if (name !== 'MILLRACE_BASE_CONFIG') return value
  return `a file with the SHA-256 ${createHash('sha256').update(value).digest('hex').slice(0, 12)}`
}

/** {@link applySettings} at the first call, and at further ones until it has succeeded. */
export function applyingOnce(parts: Parameters<typeof applySettings>[0], which: 'all' | 'given') {
  let applied: Promise<void> | undefined
  return (): Promise<void> =>
    (applied ??= applySettings(parts, which).catch((error: unknown) => {
      applied = undefined
      throw error
    }))
}
