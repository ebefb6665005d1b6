import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  bodyOf,
  callUrl,
  matchesWords,
  operationsByTag,
  schemaLines,
  typeOf,
  type OpenApi,
} from '#web/model/operations.ts'

const document = JSON.parse(readFileSync('infra/openapi.json', 'utf8')) as OpenApi
const operations = operationsByTag(document).flatMap(([, all]) => all)
const find = (id: string) => operations.find((one) => one.operationId === id) ?? expect.fail(id)

describe('the operations of the API', () => {
  it('are all listed, each in one group', () => {
    const count = Object.values(document.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0)
    expect(operations).toHaveLength(count)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(count)
  })

  it('are found by words of any part', () => {
    expect(matchesWords(find('startDag'), 'post START')).toBe(true)
    expect(matchesWords(find('startDag'), 'start nothing')).toBe(false)
    expect(matchesWords(find('startDag'), '')).toBe(true)
  })

  it('list each field of their bodies, even when a component contains itself', () => {
    for (const operation of operations) {
      for (const content of [operation.requestBody, ...Object.values(operation.responses)]) {
        expect(schemaLines(bodyOf(content)?.schema ?? {}, document).length).toBeLessThan(3_000)
      }
    }
    const lines = schemaLines(bodyOf(find('startDag').requestBody)?.schema ?? {}, document)
    expect(lines).toContainEqual(expect.objectContaining({ name: 'dagRunId', type: 'string', depth: 0 }))
    const endless: OpenApi = {
      paths: {},
      components: {
        schemas: {
          Tree: { properties: { kids: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
        },
      },
    }
    expect(schemaLines({ $ref: '#/components/schemas/Tree' }, endless)).toEqual([
      { depth: 0, name: 'kids', type: 'list of Tree', isRequired: false, about: '' },
    ])
  })

  it('name types in words', () => {
    expect(typeOf({ enum: ['a', 1] })).toBe('"a" | 1')
    expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'array', items: {} }] })).toBe(
      'string or list of any',
    )
  })

  it('encode values in the address of a call', () => {
    expect(callUrl(find('startDag'), { fileName: 'a/b?c', remoteNode: '' })).toBe(
      'api/v2/dags/a%2Fb%3Fc/start',
    )
    expect(callUrl(find('listDagRuns'), { name: 'x&y' })).toBe('api/v2/dag-runs?name=x%26y')
  })
})
