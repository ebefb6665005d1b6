import { expect, test } from 'vitest'
import { routesV1 } from '#functions/api/routes-v1.ts'
import { routes } from '#functions/api/routes.ts'
import { routeFaults, type RouteFile } from './route-rules.ts'
import { projectFile, projectTree } from './tree.ts'

const tree = projectTree()
const files: RouteFile[] = [...tree]
  .filter(([path]) => /^functions\/api\/[a-z0-9-]+\/[a-z-]+\.ts$/.test(path))
  .map(([path, text]) => {
    const test = path.replace('functions/', 'tests/').replace('.ts', '.test.ts')
    return { path, text, test: tree.get(test) }
  })

test('every endpoint has one file, one record, one test and one entry in the list', () => {
  expect(files.length).toBeGreaterThan(30)
  const legacy = files.filter((file) => file.path.includes('/v1/'))
  const current = files.filter((file) => !legacy.includes(file))
  expect(legacy.length).toBeGreaterThan(6)
  expect(routeFaults(current, routes)).toEqual([])
  expect(routeFaults(legacy, routesV1)).toEqual([])
})

test('the OpenAPI document names every endpoint', () => {
  const document = projectFile('infra/openapi.json')
  expect(routes.filter((route) => !document.includes(`"operationId": "${route.operationId}"`))).toEqual([])
})

test('the rule finds a file without a test, a wrong name, and a missing status block', () => {
  const route = { operationId: 'startDag', method: 'post', path: '/x', errors: ['not_found'] as const }
  const sound = {
    path: 'functions/api/dags/start-dag.ts',
    text: 'export const startDag = ',
    test: "describe('404 not_found'",
  }
  expect(routeFaults([sound], [route])).toEqual([])
  expect(routeFaults([{ ...sound, test: undefined }], [route])).toHaveLength(1)
  expect(routeFaults([{ ...sound, test: "describe('200'" }], [route])).toHaveLength(1)
  expect(routeFaults([{ ...sound, path: 'functions/api/dags/run-dag.ts' }], [route]).length).toBeGreaterThan(
    0,
  )
  expect(routeFaults([sound], [])).toHaveLength(1)
  expect(routeFaults([sound], [route, route])).toHaveLength(1)
})
