import { expect } from 'vitest'
import { deploymentOf } from '#functions/api/deployment-of.ts'
import { createApp, type ApiDeps } from '#functions/api/index.ts'
import { readConfig } from '#lib/config/config.ts'
import type { FinalRunStatus, StepStatus } from '#lib/core/status.ts'
import type { Operations } from '#lib/client/api-types.gen.ts'
import { createClient } from '#lib/client/client.ts'
import { definitionHash } from '#lib/dags/definition-hash.ts'
import type { Database } from '#lib/db/client.ts'
import { createFileLogStore } from '#lib/logs/file-log-store.ts'
import type { LogKey } from '#lib/logs/log-store.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { recordProgress, type RecordStep } from '#lib/runs/claim/record-progress.ts'
import { renewLeases } from '#lib/runs/claim/renew-leases.ts'
import { createLog } from '#lib/telemetry/log.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { EventReader } from './event-source.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface ApiAnswer<Body> {
  readonly status: number
  readonly headers: Headers
  /** Parsed if it is JSON, else the text. */
  readonly body: Body
}

interface CallOptions {
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string
  readonly headers?: Record<string, string>
}

type RunBody = NonNullable<Operations['enqueueDag']['request']['body']>

const owner = 'test-runner'

/** The API on its own database, called without a port, and a runner that does what the test says. */
export async function testApi(options: Parameters<typeof testDatabase>[0] = {}) {
  const database = await testDatabase(options)
  const { db } = database
  const folder = temporaryFolder('millrace-api')
  const logs = createFileLogStore(folder)
  const parts: ApiDeps = {
    db,
    logs,
    defaults: { zone: 'UTC' },
    auth: { basic: undefined, token: undefined },
    log: createLog({ level: 'silent', part: 'api' }),
    leaseMs: 30_000,
    version: '0.0.0-test',
    buildDate: '2026-11-20',
    deployment: deploymentOf({ config: readConfig({ MILLRACE_DATA_DIR: folder }), db }),
    checkResponses: true,
  }
  return { database, parts, ...caller(parts), ...actors(db), ...runner(database, logs) }

  function caller({ isOneInstance = false, ...own }: ApiDeps & { readonly isOneInstance?: boolean }) {
    // Instances are stateless: every other call is served by a fresh one.
    const lasting = createApp(own)
    let calls = 0
    const instance = (): typeof lasting => (isOneInstance || calls++ % 2 === 0 ? lasting : createApp(own))
    const open = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      instance().request(`/api/v2${path}`, { headers })
    const call = async <Body = unknown>(
      method: string,
      path: string,
      options: CallOptions = {},
    ): Promise<ApiAnswer<Body>> => {
      const sent = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
      const url = path.startsWith('/api/') ? path : `/api/v2${path}`
      const response = await instance().request(url, {
        method,
        headers: { 'content-type': 'application/json', ...options.headers },
        ...(sent !== undefined && { body: sent }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
      return {
        status: response.status,
        headers: response.headers,
        body: (isJson && text !== '' ? JSON.parse(text) : text) as Body,
      }
    }
    return {
      call,
      /** The unread response. */
      open,
      /** Opens a stream of events. */
      follow: async (path: string, lastEventId?: string) => {
        const response = await open(path, lastEventId === undefined ? {} : { 'last-event-id': lastEventId })
        expect(response.headers.get('content-type')).toBe('text/event-stream')
        return new EventReader(response)
      },
      /** Serves a request, for a server that the test starts. */
      fetch: (request: Request, origin: { address?: string | undefined } = {}) =>
        instance().fetch(request, origin),
      get: <Body = unknown>(path: string) => call<Body>('GET', path),
      post: <Body = unknown>(path: string, body?: unknown) => call<Body>('POST', path, { body }),
      /** The same API with other parts. */
      with: (other: Partial<Parameters<typeof caller>[0]>) => caller({ ...own, ...other }),
    }
  }

  function actors(db: Database) {
    const client = createClient({ baseUrl: 'http://localhost/api/v2', fetch: caller(parts).fetch })
    const run = async (operation: 'startDag' | 'enqueueDag', fileName: string, body: RunBody) => {
      const answer = await client(operation, { params: { fileName }, body })
      if (answer.status !== 200) throw new Error(`${fileName}: ${JSON.stringify(answer)}`)
      return answer.body.dagRunId
    }
    return {
      client,
      async createDag(name: string, spec = 'steps:\n  - name: work\n    command: echo working\n') {
        const answer = await client('createDag', { body: { name, spec } })
        if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      },
      /** Stores a text without the checks of the API: a text with faults can exist after an upgrade. */
      async storeSpec(fileName: string, spec: string) {
        await db.sql`
          with kept as (
            insert into millrace.definition (hash, spec) values (${definitionHash(spec, undefined)}, ${spec})
            on conflict do nothing
          )
          update millrace.dag set definition_hash = ${definitionHash(spec, undefined)} where file_name = ${fileName}`
      },
      start: (name: string, body: RunBody = {}) => run('startDag', name, body),
      enqueue: (name: string, body: RunBody = {}) => run('enqueueDag', name, body),
    }
  }
}

function runner({ db }: TestDatabase, logs: ReturnType<typeof createFileLogStore>) {
  const held = new Map<string, { runKey: string; token: string }>()

  /** Claims all claimable runs. */
  async function claim(): Promise<void> {
    const runs = await claimRuns(db, { owner, labels: {}, count: 100, leaseMs: 600_000, known: {} })
    for (const { runId, runKey, token } of runs) held.set(runId, { runKey, token })
  }

  async function find(
    runId: string,
  ): Promise<{ runKey: string; attempt: number; dagName: string; hash: string }> {
    const [row] = await db.sql<{ runKey: string; attempt: number; dagName: string; hash: string }[]>`
      select run_key::text as "runKey", attempt, dag_name as "dagName", definition_hash as hash
      from millrace.dag_run where run_id = ${runId}`
    if (row === undefined) throw new Error(`no run ${runId}`)
    return row
  }

  async function ownedBy(runId: string): Promise<{ runKey: string; token: string }> {
    if (!held.has(runId)) await claim()
    const claimed = held.get(runId)
    if (claimed === undefined) throw new Error(`run ${runId} cannot be claimed`)
    return claimed
  }

  return {
    claim,
    /** Claims a run if necessary and ends it; failed steps get an error message. */
    async finish(
      runId: string,
      status: FinalRunStatus,
      steps: Readonly<Record<string, StepStatus>> = {},
      outputs: Readonly<Record<string, Record<string, string>>> = {},
    ): Promise<void> {
      const claimed = await ownedBy(runId)
      const { attempt } = await find(runId)
      const rows = Object.entries(steps).map(([name, state], index) =>
        stepRow(name, { place: index, attempt, status: state, outputs: outputs[name] ?? {} }),
      )
      await recordProgress(db, [{ ...claimed, steps: rows, finish: { status, error: '' } }])
      held.delete(runId)
    },
    /** Creates a child run, as the step of a claimed parent would. */
    async startChild(
      parentId: string,
      child: {
        dagName: string
        runId: string
        step: string
        round?: number
        params?: string
        document?: string
      },
    ): Promise<void> {
      const parent = await ownedBy(parentId)
      const { hash } = await find(parentId)
      const [outcome] = await createRuns(db, [
        {
          runId: child.runId,
          dagName: child.dagName,
          fileName: null,
          spec: '',
          baseSpec: null,
          definitionHash: hash,
          document: child.document ?? null,
          params: child.params ?? null,
          trigger: 'child',
          queue: null,
          maxActiveRuns: 1,
          priority: 0,
          labels: {},
          mode: 'start',
          singleton: false,
          parent: { ...parent, step: child.step, round: child.round ?? 0 },
          histRetentionDays: 30,
          histRetentionRuns: null,
          scheduledAt: null,
          scheduleKind: null,
        },
      ])
      if (outcome?.result !== 'created') throw new Error(`child ${child.runId}: ${outcome?.result}`)
    },
    async writeLog(
      runId: string,
      step: string,
      stream: LogKey['stream'],
      text: string | Uint8Array,
      sequence = 0,
    ) {
      const { runKey, attempt } = await find(runId)
      await logs.append({ runKey, attempt, step, stream }, sequence, Buffer.from(text))
    },
    async stopRequested(runId: string): Promise<boolean> {
      const [row] = await db.sql<{ asked: boolean }[]>`
        select stop_requested_at is not null as asked from millrace.dag_run where run_id = ${runId}`
      return row?.asked ?? false
    },
    async heartbeat(labels: Readonly<Record<string, string>>, draining = false): Promise<void> {
      const worker = { labels, slots: 8, host: 'here', pid: 1, draining }
      await renewLeases(db, { owner, claims: [...held.values()], leaseMs: 600_000, worker })
    },
  }
}

function stepRow(
  name: string,
  step: Pick<RecordStep, 'place' | 'attempt' | 'status' | 'outputs'>,
): RecordStep {
  const began = step.status !== 'cancelled' && step.status !== 'skipped'
  return {
    name,
    phase: null,
    retryCount: 0,
    doneCount: began ? 1 : 0,
    waitUntil: null,
    exitCode: began ? (step.status === 'failed' ? 1 : 0) : null,
    error: step.status === 'failed' ? `${name} ended badly` : '',
    tolerated: false,
    conditions: [],
    startedAt: began ? 1_763_668_731_000 : null,
    finishedAt: 1_763_668_732_000,
    ...step,
  }
}
