import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { RunStatus } from '#lib/core/status.ts'
import { definitionHash } from '#lib/dags/definition-hash.ts'
import type { Database } from '#lib/db/client.ts'
import { readSpec } from '#lib/definition/read-spec.ts'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import { startRunner, type Runner, type RunnerOptions } from '#lib/runner/start-runner.ts'
import { createRuns, type CreateRunRequest } from '#lib/runs/start/create-runs.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { testDatabase } from '#tests/support/database.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

export interface FinishedRun {
  readonly status: RunStatus
  readonly error: string
  /** Status by step name. */
  readonly steps: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
}

export interface RunnerKit {
  readonly db: Database
  readonly url: string
  readonly folder: string
  readonly logs: LogStore
  /** Starts a runner in this process; it is stopped at the end of the file. */
  readonly runner: (given?: Partial<RunnerOptions>) => Runner
  /** Creates a run of a spec. @returns its key */
  readonly start: (spec: string | readonly string[], given?: Partial<CreateRunRequest>) => Promise<string>
  /** Waits for the end of a run. */
  readonly finished: (runKey: string, limitMs?: number) => Promise<FinishedRun>
  /** The current content of a log. */
  readonly log: (runKey: string, step: string, stream?: 'stdout' | 'stderr' | 'run') => Promise<string>
  /** Waits until the log of a step contains a text. */
  readonly printed: (runKey: string, step: string, text: string) => Promise<void>
}

let count = 0

/** A database, a log store and runners for one test file. */
export async function runnerKit(
  choose: (given: { db: Database; folder: string }) => LogStore = ({ folder }) =>
    createFileLogStore(join(folder, 'logs')),
): Promise<RunnerKit> {
  const { db, url, open } = await testDatabase()
  const folder = temporaryFolder('runner-e2e')
  const logs = choose({ db, folder })
  const runners: Runner[] = []
  afterAll(() => Promise.all(runners.map((runner) => runner.stop())))

  const log: RunnerKit['log'] = async (runKey, step, stream = 'stdout') => {
    const [row] = await db.sql<{ attempt: number }[]>`
      select coalesce((select attempt from millrace.dag_run_step where run_key = ${runKey} and name = ${step}), attempt)
        as attempt
      from millrace.dag_run where run_key = ${runKey}`
    const key = { runKey, attempt: row?.attempt ?? 1, step: stream === 'run' ? '' : step, stream }
    const pieces: Uint8Array[] = []
    for await (const piece of logs.read(key, 0)) pieces.push(piece)
    return Buffer.concat(pieces).toString('utf8')
  }
  return {
    db,
    url,
    folder,
    logs,
    log,
    runner: (given = {}) => {
      const runner = startRunner({
        db: open({ max: 4 }),
        logs,
        logBytesMax: 1_073_741_824,
        log: createLog({ level: 'silent', part: 'runner' }),
        environment: process.env,
        labels: {},
        slots: 8,
        leaseMs: 30_000,
        graceMs: 5_000,
        dagsDir: undefined,
        workDir: join(folder, 'work'),
        executors: { httpAllow: [], jqPath: undefined },
        ...given,
      })
      runners.push(runner)
      return runner
    },
    start: async (lines, given = {}) => {
      const spec = typeof lines === 'string' ? lines : `${lines.join('\n')}\n`
      const { dag, problems } = readSpec(spec, { fileName: 'demo' })
      expect(problems).toEqual([])
      const request = requestFor(spec, dag.name, given)
      const [outcome] = await createRuns(db, [{ ...request, labels: dag.workerSelector, ...given }])
      return outcome?.runKey ?? ''
    },
    finished: async (runKey, limitMs = 20_000) => {
      await expect
        .poll(
          async () => {
            const [run] = await db.sql`
              select finished_at is not null as ended from millrace.dag_run where run_key = ${runKey}`
            return run?.['ended'] as boolean
          },
          { timeout: limitMs, interval: 20 },
        )
        .toBe(true)
      return readRun(db, runKey)
    },
    printed: async (runKey, step, text) => {
      await expect.poll(() => log(runKey, step), { timeout: 10_000, interval: 20 }).toContain(text)
    },
  }
}

/** A request for a run of a spec. */
export function requestFor(
  spec: string,
  dagName: string,
  given: Partial<CreateRunRequest>,
): CreateRunRequest {
  return {
    runId: `run-${++count}`,
    dagName,
    fileName: 'demo',
    spec,
    baseSpec: null,
    definitionHash: definitionHash(spec, undefined),
    document: null,
    params: null,
    trigger: 'api',
    queue: dagName,
    maxActiveRuns: 1,
    priority: 0,
    labels: {},
    mode: 'start',
    singleton: false,
    parent: null,
    histRetentionDays: 30,
    histRetentionRuns: null,
    scheduledAt: null,
    scheduleKind: null,
    ...given,
  }
}

async function readRun(db: Database, runKey: string): Promise<FinishedRun> {
  const [run] = await db.sql<{ status: RunStatus; error: string | null }[]>`
    select status, error from millrace.dag_run where run_key = ${runKey}`
  const steps = await db.sql<{ name: string; status: string; error: string }[]>`
    select name, status, error from millrace.dag_run_step where run_key = ${runKey} order by place`
  return {
    status: run?.status ?? 'not_started',
    error: run?.error ?? '',
    steps: Object.fromEntries(steps.map(({ name, status }) => [name, status])),
    errors: Object.fromEntries(steps.flatMap(({ name, error }) => (error === '' ? [] : [[name, error]]))),
  }
}
