import { expect, test } from 'vitest'
import { seeded } from '#tests/chaos/random.ts'
import { testApi } from '#tests/support/api.ts'
import { deadlocksIn } from '#tests/support/run-tree.ts'

const api = await testApi()
const db = api.database.open({ max: 16 })
const { call } = api.with({ db })

const names = ['one', 'two', 'three']
for (const name of names) await api.createDag(name)

const spec = (place: number): string =>
  `histRetentionRuns: ${1 + (place % 3)}\nsteps:\n  - {name: work, command: echo ${place % 4}}\n`

test('calls about the same few names and ids, all at once, are answered or refused, never with 500', async () => {
  const random = seeded(Number(process.env['FC_SEED'] ?? 5))
  const some = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const place = (): number => Math.floor(random() * 1_000)
  const acts: readonly (() => [string, string, object?])[] = [
    () => ['POST', `/dags/${some(names)}/start`, { dagRunId: `id-${place() % 5}` }],
    () => ['POST', `/dags/${some(names)}/start`, { singleton: true }],
    () => [
      'POST',
      `/dags/${some(names)}/enqueue`,
      { dagRunId: `id-${place() % 5}`, queue: some(['q', 'r', 's']) },
    ],
    () => ['POST', '/dag-runs', { name: some(names), dagRunId: `id-${place() % 5}`, spec: spec(place()) }],
    () => ['POST', '/dag-runs/enqueue', { name: some(names), spec: spec(place()), queue: some(['q', 'r']) }],
    () => ['POST', `/dag-runs/${some(names)}/id-${place() % 5}/stop`],
    () => ['POST', `/dag-runs/${some(names)}/id-${place() % 5}/retry`, { dagRunId: `id-${place() % 5}` }],
    () => ['GET', `/dag-runs/${some(names)}/id-${place() % 5}/dequeue`],
    () => ['PATCH', `/dag-runs/${some(names)}/id-${place() % 5}/steps/work/status`, { status: place() % 6 }],
    () => ['POST', `/dags/${some(names)}/stop-all`],
    () => ['PUT', `/dags/${some(names)}/spec`, { spec: spec(place()) }],
    () => ['POST', `/dags/${some(names)}/suspend`, { suspend: place() % 2 === 0 }],
    () => ['POST', `/dags/${some(names)}/rename`, { newFileName: some(names) }],
    () => ['DELETE', `/dags/${some(names)}`],
    () => ['POST', '/dags', { name: some(names), spec: spec(place()) }],
    () => ['POST', '/tick'],
  ]
  const before = await deadlocksIn(db)
  const answers = new Map<number, number>()
  const caller = async (): Promise<void> => {
    for (let round = 0; round < 60; round++) {
      const [method, path, body] = some(acts)()
      const { status } = await call(method, path, body === undefined ? {} : { body })
      answers.set(status, (answers.get(status) ?? 0) + 1)
      expect([200, 201, 204, 400, 404, 409, 412], `${method} ${path}`).toContain(status)
    }
  }
  await Promise.all(Array.from({ length: 16 }, caller))
  expect(answers.get(200)).toBeGreaterThan(100)
  expect((await deadlocksIn(db)) - before).toBe(0)
}, 60_000)
