import { expect, test } from 'vitest'
import { seeded } from '#tests/chaos/random.ts'
import { testApi } from '#tests/support/api.ts'
import { deadlocksIn } from '#tests/support/run-tree.ts'

const api = await testApi()
const db = api.database.open({ max: 16 })
const { call } = api.with({ db })

const names = ['one', 'two', 'three']
for (const name of names) await api.createDag(name)

const spec = (number: number): string =>
  `histRetentionRuns: ${1 + (number % 3)}\nsteps:\n  - {name: work, command: echo ${number % 4}}\n`

test('concurrent calls about a few names and ids are answered or refused, never with 500', async () => {
  const random = seeded(Number(process.env['FC_SEED'] ?? 5))
  const some = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const number = (): number => Math.floor(random() * 1_000)
  const acts: readonly (() => [string, string, object?])[] = [
    () => ['POST', `/dags/${some(names)}/start`, { dagRunId: `id-${number() % 5}` }],
    () => ['POST', `/dags/${some(names)}/start`, { singleton: true }],
    () => [
      'POST',
      `/dags/${some(names)}/enqueue`,
      { dagRunId: `id-${number() % 5}`, queue: some(['q', 'r', 's']) },
    ],
    () => ['POST', '/dag-runs', { name: some(names), dagRunId: `id-${number() % 5}`, spec: spec(number()) }],
    () => ['POST', '/dag-runs/enqueue', { name: some(names), spec: spec(number()), queue: some(['q', 'r']) }],
    () => ['POST', `/dag-runs/${some(names)}/id-${number() % 5}/stop`],
    () => ['POST', `/dag-runs/${some(names)}/id-${number() % 5}/retry`, { dagRunId: `id-${number() % 5}` }],
    () => ['GET', `/dag-runs/${some(names)}/id-${number() % 5}/dequeue`],
    () => [
      'PATCH',
      `/dag-runs/${some(names)}/id-${number() % 5}/steps/work/status`,
      { status: number() % 6 },
    ],
    () => ['POST', `/dags/${some(names)}/stop-all`],
    () => ['PUT', `/dags/${some(names)}/spec`, { spec: spec(number()) }],
    () => ['POST', `/dags/${some(names)}/suspend`, { suspend: number() % 2 === 0 }],
    () => ['POST', `/dags/${some(names)}/rename`, { newFileName: some(names) }],
    () => ['DELETE', `/dags/${some(names)}`],
    () => ['POST', '/dags', { name: some(names), spec: spec(number()) }],
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
