import { describe, expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
await api.createDag(
  'hay',
  'steps:\n  - name: a\n    command: echo Needle in hay\n  - name: b\n    command: echo 100%_done\n',
)
await api.createDag('other', 'steps:\n  - echo needle\n')
type Match = { line: string; lineNumber: number; startLine: number }
type Answer = { results: { name: string; dag: { name: string }; matches: Match[] }[]; errors: string[] }
const search = async (q: string) =>
  (await api.get<Answer>(`/dags/search?q=${encodeURIComponent(q)}`)).body.results

describe('200', () => {
  test('a match has two lines on either side', async () => {
    const results = await search('needle')
    expect(results.map((result) => result.name)).toEqual(['hay', 'other'])
    expect(results[0]?.matches).toEqual([
      {
        line: `steps:
  - name: a
    command: echo Needle in hay
  - name: b
    command: echo 100%_done`,
        lineNumber: 3,
        startLine: 1,
      },
    ])
    expect(results[1]).toMatchObject({ dag: { name: 'other' }, matches: [{ lineNumber: 2, startLine: 1 }] })
  })

  test.each([
    ['100%_D', ['hay']],
    ['%', ['hay']],
    ['_', ['hay']],
    ['.*', []],
    ['e.dle', []],
    ['\\', []],
    ["'; drop table dag; --", []],
  ])('%j is taken literally', async (q, names) => {
    expect((await search(q)).map((result) => result.name)).toEqual(names)
  })
})

describe('400 bad_request', () => {
  test.each(['', '?q='])('an empty search: %j', async (query) => {
    expect(await api.get(`/dags/search${query}`)).toMatchObject({
      status: 400,
      body: { message: 'q: is required' },
    })
  })
})
