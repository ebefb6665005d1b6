import { describe, expect, test } from 'vitest'
import type { Answer } from '#lib/client/client.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const steps = 'steps:\n  - {name: work, command: a}\n'

type Preview = Extract<Answer<'previewSchedule'>, { status: 200 }>['body']

async function preview(body: object): Promise<Preview> {
  const answer = await api.post<Preview>('/schedule/preview', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

await api.createDag('nightly', `schedule: "0 2 * * *"\n${steps}`)
await api.createDag('other', `schedule: "0 4 * * *"\n${steps}`)
await api.createDag('another', `schedule: "0 4,5 * * *"\n${steps}`)

describe('200', () => {
  test('a changed schedule shows added and removed times, and collisions with other DAGs', async () => {
    const answer = await preview({ name: 'nightly', spec: `schedule: "0 2,4 * * 1-5"\n${steps}`, days: 7 })
    expect(answer).toMatchObject({
      valid: true,
      isNew: false,
      suspended: false,
      added: 5,
      removed: 2,
      kept: 5,
    })
    expect(answer.adds.map(({ at }) => at.slice(11, 16))).toEqual(Array.from({ length: 5 }, () => '04:00'))
    expect(answer.removes.every(({ at }) => [0, 6].includes(new Date(at).getUTCDay()))).toBe(true)
    expect(answer.collisions[0]).toMatchObject({ others: 2 })
    expect(answer.collisions).toHaveLength(5)
  })

  test('the same schedule changes nothing, and another zone moves all times', async () => {
    expect(await preview({ name: 'nightly', spec: `schedule: "0 2 * * *"\n${steps}` })).toMatchObject({
      added: 0,
      removed: 0,
      kept: 14,
    })
    const moved = await preview({
      name: 'nightly',
      spec: `schedule: "CRON_TZ=Asia/Tokyo 0 2 * * *"\n${steps}`,
    })
    expect(moved).toMatchObject({ added: 14, removed: 14, kept: 0 })
    expect(moved.adds[0]).toMatchObject({ zone: 'Asia/Tokyo', kind: 'start' })
  })

  test('a new DAG adds all its times, and a suspended one is marked', async () => {
    const spec = `schedule: {stop: "30 * * * *"}\n${steps}`
    expect(await preview({ spec, days: 1 })).toMatchObject({
      isNew: true,
      added: 24,
      removed: 0,
      collisions: [],
    })
    await api.post('/dags/nightly/suspend', { suspend: true })
    expect(await preview({ name: 'nightly', spec })).toMatchObject({ isNew: false, suspended: true })
  })

  test('only the first of very many times are listed', async () => {
    const answer = await preview({ spec: `schedule: "* * * * *"\n${steps}`, days: 31 })
    expect(answer.added).toBe(31 * 1_440)
    expect(answer.adds).toHaveLength(200)
  })

  test('a spec with faults reports them and changes nothing', async () => {
    const answer = await preview({ name: 'nightly', spec: 'schedule: "61 * * * *"\nsteps: []\n' })
    expect(answer).toMatchObject({ valid: false, added: 0, removed: 0 })
    expect(answer.errors.join()).toContain('minute')
  })
})

describe('400 bad_request', () => {
  test.each([[{}], [{ spec: steps, days: 0 }], [{ spec: steps, days: 32 }]])('the body %j', async (body) => {
    expect((await api.post('/schedule/preview', body)).status).toBe(400)
  })
})
