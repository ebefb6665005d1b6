import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { routesV1 } from '#functions/api/routes-v1.ts'
import { routes } from '#functions/api/routes.ts'
import type { Route } from '#lib/api/define-route.ts'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { openApiDocument } from '#lib/api/documents/openapi.ts'
import { ndjson } from '#lib/api/answers/rows.ts'
import { configureQueues } from '#tests/support/configure-queues.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { testApi } from '#tests/support/api.ts'
import { schemaChecker, type Schema } from '#tests/support/json-schema.ts'
import { fuzzRequest, type FuzzOperation, type FuzzRequest } from '#tests/support/random-requests.ts'

const seed = 20_261_121
const perRound = 500
const atOnce = 8
const streams = /^text\/event-stream/

type Content = Readonly<Record<string, { readonly schema: Schema }>>
interface Operation {
  readonly operationId: string
  readonly parameters: FuzzOperation['parameters']
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The operations of a document, with what it says about their answers. */
function contractOf(list: readonly Route[], basePath: string) {
  const document = openApiDocument(list, { version: '', basePath }) as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId.replace(/Alias$/, ''),
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${basePath}${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
      parameters: operation.parameters,
      body: operation.requestBody?.content['application/json']?.schema,
      responses: operation.responses,
      success: Object.keys(operation.responses).find((status) => status.startsWith('2')),
    })),
  )
  const { schemas } = document.components
  return { basePath, operations, error: schemas['Error'] ?? {}, ...schemaChecker(schemas) }
}
type Contract = ReturnType<typeof contractOf>

const step = '  - name: work\n    command: echo 1\n'
const specs: Readonly<Record<string, string>> = {
  one: `steps:\n${step}`,
  two: `params: A=1 B\nschedule: "0 1 * * *"\ntags: [red]\nmaxActiveRuns: 2\nsteps:\n${step}`,
  three: `steps:\n  - name: work\n    run: kid\n---\nname: kid\nsteps:\n${step}`,
  // No runner has the label, so its runs wait in their queue.
  four: `queue: slow\nworkerSelector: {gpu: yes}\nhandlerOn:\n  exit:\n    command: echo bye\nsteps:\n${step}`,
}
/** Texts that are valid YAML or JSON and cannot be stored. */
const odd = ['"\\0"', '"\\ud800"'].map((text) => `description: ${text}\nsteps:\n${step}`)
const often = (text: string, times: number): string[] => Array.from({ length: times }, () => text)
const names = Object.keys(specs)
const runIds = ['r1', 'r2', 'r3', '', ...often('latest', 2), ...often('root', 8)]
const api = await testApi()
const { db } = api.database
const users = ['ann', 'bob']
const { apiKey } = await createApiKey(db, {
  name: 'k',
  role: 'viewer',
  createdBy: 'test',
  expiresInDays: undefined,
})
const pools = {
  username: users,
  keyId: [apiKey.id],
  fileName: names,
  files: names,
  id: ['test-runner'],
  newFileName: [...names, 'five'],
  name: [...names, ...often('three', 4)],
  dagRunId: runIds,
  childDAGRunId: ['r1', ...often('child', 8)],
  stepName: ['none', 'onExit', ...often('work', 4)],
  queue: ['slow', 'one', ''],
  spec: [
    ...Object.values(specs),
    'steps: 5\n',
    'steps:\n  - {name: a, depends: a, command: echo}\n',
    '',
    ...odd,
  ],
  params: ['', 'A=2', '{"A":"3"}', '["x"]', 'A=', '{"A":', 'B="x y" z', '{"A":"\\u0000"}', '["\\ud800"]'],
  topics: ['dags', 'runs,queues', 'workers,overview', 'dags,none'],
  remoteNode: ['local', 'local', 'local', '', 'far'],
  q: ['echo', 'WORK', '%', '_', '\\'],
  tag: ['red', 'RED', 'none'],
  attempt: [...often('1', 5), '2'],
  version: [...often('1', 5), '2'],
  // The deprecated version.
  requestId: runIds,
  file: runIds,
  step: ['work', 'none'],
  value: [...names, 'five', 'true', specs['one'] ?? ''],
}

await configureQueues(db, [{ name: 'slow', maxConcurrency: 1 }])
await restore()
await api.start('three', { dagRunId: 'root' })
await api.startChild('root', { dagName: 'kid', runId: 'child', step: 'work', document: 'kid' })
await api.finish('child', 'success', { work: 'success' })
await api.writeLog('child', 'work', 'stdout', 'said\n')
await api.finish('root', 'failed', { work: 'failed' })
await api.heartbeat({})

/** Creates again what was deleted or renamed, queued runs, and an active one. */
async function restore(): Promise<void> {
  for (const [name, spec] of Object.entries(specs).reverse()) {
    await api.post('/dags', { name, spec })
    await api.post(`/dags/${name}/enqueue`, { queue: 'slow' })
  }
  await api.post('/dags/two/start')
  await claim()
  await db.sql`
    insert into millrace.app_user ${db.sql(users.map((name) => ({ name, role: 'viewer', password_hash: 'none' })))}
    on conflict do nothing`
}

function claim() {
  return claimRuns(db, { owner: 'fuzz-runner', labels: {}, count: 200, leaseMs: 600_000, known: {} })
}

/** Acts as a runner: claims all runs that it can, and ends most of them. */
async function runSome(round: number): Promise<void> {
  const ends = ['success', 'failed', 'partial_success'] as const
  for (const [at, { runKey, token }] of (await claim()).entries()) {
    const status = ends[(at + round) % 4]
    if (status === undefined) continue
    await recordProgress(db, [{ runKey, token, steps: [], finish: { status, error: '' } }])
  }
}

/** These succeed only for users who have signed in, which needs authentication. */
const ofUsers = new Set(['createSession 201', 'updatePreferences 204'])
const answered = new Map<string, number>()

async function faultsOf(contract: Contract, request: FuzzRequest): Promise<string[]> {
  const { method, headers, body } = request
  const url = new URL(`http://localhost${contract.basePath}${request.target}`)
  const answer = await api.fetch(new Request(url, { method, headers, ...(body !== undefined && { body }) }))
  const { status } = answer
  const type = answer.headers.get('content-type')
  const asked = contract.operations.filter(
    (operation) => operation.method === method && operation.pattern.test(url.pathname),
  )
  for (const { id } of asked) answered.set(`${id} ${status}`, (answered.get(`${id} ${status}`) ?? 0) + 1)
  if (type !== null && streams.test(type)) {
    await answer.body?.cancel()
    return status === 200 ? [] : [`a stream with the status ${status}`]
  }
  const text = await answer.text()
  if (status >= 500 && status !== 503) return [`the status ${status}: ${text}`]
  if (answer.headers.get('x-content-type-options') !== 'nosniff') return ['no guard headers']
  const isLog = type === 'text/plain; charset=utf-8'
  const mayBeEmpty = type === null || type === ndjson || isLog || method === 'HEAD'
  if (text === '') return mayBeEmpty ? [] : ['a type without a body']
  const value: unknown = type === 'application/json' ? JSON.parse(text) : text
  if (asked.length === 0) {
    const isRefused = status === 400 && /%(25)*(2e|2f|5c|00)/i.test(url.pathname)
    return isRefused || [404, 405].includes(status)
      ? contract.faults(contract.error, value)
      : [`the status ${status}`]
  }
  const found = asked.map(({ path, responses }) => {
    const content = responses[status]?.content
    if (content === undefined) return [`${path}: the status ${status} is not documented: ${text}`]
    const documented = content[type ?? '']
    return documented === undefined ? [`${path}: no type ${type}`] : contract.faults(documented.schema, value)
  })
  return found.find((lines) => lines.length === 0) ?? found[0] ?? []
}

afterAll(async () => {
  expect(await db.sql`select invariant, detail from millrace.check_invariants()`).toEqual([])
})

test.each([
  ['the API', 12_000, contractOf(routes, '/api/v2')],
  ['the deprecated version', 2_000, contractOf(routesV1, '/api/v1')],
] as const)(
  '%s answers %i random requests as documented and without internal errors',
  async (_what, requests, contract) => {
    console.log(`fuzz: ${requests} requests to ${contract.basePath}, seed ${seed}`)
    const wrong: string[] = []
    const play = async (round: number, operations: Contract['operations']): Promise<void> => {
      const made = fc
        .sample(fuzzRequest(operations, pools), { seed: seed + round, numRuns: perRound })
        .values()
      const work = async (): Promise<void> => {
        for (const request of made) {
          const lines = await faultsOf(contract, request)
          if (lines.length > 0) wrong.push(`${JSON.stringify(request).slice(0, 1_500)}: ${lines.join('; ')}`)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      await runSome(round)
      await restore()
    }
    const rounds = requests / perRound
    for (let round = 0; round < rounds && wrong.length === 0; round++) await play(round, contract.operations)
    // Few random requests of some operations are valid in every field: these get rounds of their own.
    const left = (): Contract['operations'] =>
      contract.operations.filter(({ id, success }) => {
        const kind = `${id} ${success}`
        return !ofUsers.has(kind) && !answered.has(kind)
      })
    for (let extra = 0; extra < 20 && left().length > 0; extra++) await play(rounds + extra, left())
    expect(wrong.slice(0, 10)).toEqual([])
    expect((await api.get('/health')).status).toBe(200)
    expect(
      left().map(({ id }) => id),
      'operations that never succeeded: the fuzz does not reach what lies behind the checks',
    ).toEqual([])
  },
  300_000,
)

test('the schema check finds unknown and missing fields, wrong types and broken bounds', () => {
  const { faults } = schemaChecker({ Name: { type: 'string', pattern: '^a', maxLength: 2 } })
  const schema = {
    type: 'object',
    properties: {
      name: { $ref: '#/components/schemas/Name' },
      list: { type: 'array', items: { enum: [1] } },
    },
    required: ['name'],
  }
  expect(faults(schema, { name: 'ab', list: [1] })).toEqual([])
  const wrong = [
    {},
    { name: 'b' },
    { name: 'abc' },
    { name: null },
    { name: 'a', list: [2] },
    { name: 'a', x: 1 },
    [],
  ]
  for (const value of wrong) expect(faults(schema, value), JSON.stringify(value)).toHaveLength(1)
  expect(() => faults({ not: {} }, 1)).toThrow('does not know')
})
