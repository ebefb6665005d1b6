import { describe, expect, test } from 'vitest'
import { routesV1 } from '#functions/api/routes-v1.ts'
import { routes } from '#functions/api/routes.ts'
import { reservedFileNames } from '#lib/core/ids.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = 'steps:\n  - command: echo x\n'

const paths = [...routes, ...routesV1].map(({ path }) => path.split('/'))
const isParam = (segment = ''): boolean => segment.startsWith('{')

/** Nothing is posted to a DAG or to the runs of one by its name alone, so the name stays free. */
const free = new Set(['batch'])

/** Words that stand, in one path, where another path has this param. */
function wordsAt(param: string): string[] {
  const words = paths.flatMap((path) =>
    path.flatMap((segment, index) =>
      segment !== param
        ? []
        : paths
            .filter((other) =>
              path
                .slice(0, index)
                .every((part, at) => isParam(part) || isParam(other[at]) || part === other[at]),
            )
            .flatMap((other) => other[index] ?? [])
            .filter((word) => !isParam(word) && !free.has(word)),
    ),
  )
  return [...new Set(words)]
}

describe('words of the API in the position of a name', () => {
  test('are reserved: no more and no less than the routes have, and "latest"', () => {
    const words = [...wordsAt('{fileName}'), ...wordsAt('{name}'), 'latest']
    expect([...reservedFileNames].toSorted()).toEqual([...new Set(words)].toSorted())
  })

  test('leave free what no call about a name could mean', () => {
    const posted = [...routes, ...routesV1].filter(({ method }) => method === 'post').map(({ path }) => path)
    expect(posted).toContain('/dags/batch')
    for (const path of ['/dags/{fileName}', '/dag-runs/{name}']) expect(posted).not.toContain(path)
  })

  test('are none where a path has the id of a run or the name of a step', () => {
    expect(['{dagRunId}', '{childDAGRunId}', '{stepName}', '{username}', '{keyId}'].flatMap(wordsAt)).toEqual(
      [],
    )
  })

  test.each(reservedFileNames)('%s cannot be made, wherever names are made', async (name) => {
    await api.call('DELETE', '/dags/plain')
    await api.createDag('plain')
    for (const [path, body] of [
      ['/dags', { name }],
      ['/dags/plain/rename', { newFileName: name }],
      ['/dag-runs', { name, spec }],
      ['/dag-runs/enqueue', { name, spec }],
      ['/dags/validate', { name, spec }],
      ['/api/v1/dags', { action: 'new', value: name }],
      ['/api/v1/dags/plain', { action: 'rename', value: name }],
    ] as const) {
      const answer = await api.post<{ message: string }>(path, body)
      expect([path, answer.status]).toEqual([path, 400])
      expect(answer.body.message).toContain(`"${name}"`)
    }
  })

  test('a file that has such a name from earlier can be renamed and deleted', async () => {
    await api.createDag('old')
    await api.database.db
      .sql`update millrace.dag set file_name = 'search', dag_name = 'search' where file_name = 'old'`
    expect((await api.post('/dags/search/rename', { newFileName: 'found' })).status).toBe(200)
    await api.database.db
      .sql`update millrace.dag set file_name = 'tags', dag_name = 'tags' where file_name = 'found'`
    expect((await api.call('DELETE', '/dags/tags')).status).toBe(204)
  })
})
