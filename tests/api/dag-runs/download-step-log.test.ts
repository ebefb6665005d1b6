import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag('job', 'steps:\n  - {name: "a b/é", command: echo}\n')
const runId = await api.start('job', { dagRunId: 'r1' })
await api.claim()
const bytes = Buffer.concat([Buffer.from('one\n'), Buffer.alloc(3_000_000, 0xff), Buffer.from('\nend')])
await api.writeLog(runId, 'a b/é', 'stdout', bytes)
await api.writeLog(runId, 'a b/é', 'stderr', 'oops')
const raw = (query = '', step = 'a b/é') =>
  api.open(`/dag-runs/job/${runId}/steps/${encodeURIComponent(step)}/log/raw${query}`)

describe('200', () => {
  test('every byte, as a file with a plain name', async () => {
    const answer = await raw()
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="job-r1-a_b__-stdout.log"')
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    expect(await (await raw('?stream=stderr&attempt=1')).text()).toBe('oops')
  })

  test('a client that disconnects early frees its slot', async () => {
    for (let time = 0; time < 70; time++) await (await raw()).body?.cancel()
    expect((await raw()).status).toBe(200)
  })
})

describe('400 bad_request', () => {
  test.each(['?stream=stdin', '?attempt=2'])('the query %s', async (query) => {
    expect((await raw(query)).status).toBe(400)
  })
})

describe('404 not_found', () => {
  test('an unknown step', async () => {
    expect((await raw('', 'nothing')).status).toBe(404)
  })
})
