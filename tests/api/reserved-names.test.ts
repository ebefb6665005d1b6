import { describe, expect, test } from 'vitest'
import { routesV1 } from '#functions/api/routes-v1.ts'
import { routes } from '#functions/api/routes.ts'
import { reservedFileNames } from '#lib/core/ids.ts'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const spec = 'steps:\n  - command: echo x\n'

const paths = [...routes, ...routesV1].map(({ path }) => path.split('/'))
const isParam = (segment = ''): boolean => segment.startsWith('{')

/** No POST goes to a DAG or its runs by name alone, so these names can stay free. */
const free = new Set(['batch'])

/** Words of a path at the position where another path has this param. */
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

describe('words of the API at the position of a name', () => {
  test('are reserved exactly when a route has them, besides "latest"', () => {
    const words = [...wordsAt('{fileName}'), ...wordsAt('{name}'), 'latest']
    expect([...reservedFileNames].toSorted()).toEqual([...new Set(words)].toSorted())
  })

  test('stay free when no call about a name could mean them', () => {
    const posted = [...routes, ...routesV1].filter(({ method }) => method === 'post').map(({ path }) => path)
    expect(posted).toContain('/dags/batch')
    for (const path of ['/dags/{fileName}', '/dag-runs/{name}']) expect(posted).not.toContain(path)
  })

  test('do not exist at the position of a run id or a step name', () => {
    expect(['{dagRunId}', '{childDAGRunId}', '{stepName}', '{username}', '{keyId}'].flatMap(wordsAt)).toEqual(
      [],
    )
  })

  test.each(reservedFileNames)('include %s, which no call can use as a new name', async (name) => {
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

  test('may be names of older files, which can be renamed and deleted', async () => {
    await api.createDag('old')
    await api.database.db
      .sql`update millrace.dag set file_name = 'search', dag_name = 'search' where file_name = 'old'`
    expect((await api.post('/dags/search/rename', { newFileName: 'found' })).status).toBe(200)
    await api.database.db
      .sql`update millrace.dag set file_name = 'tags', dag_name = 'tags' where file_name = 'found'`
    expect((await api.call('DELETE', '/dags/tags')).status).toBe(204)
  })
})
