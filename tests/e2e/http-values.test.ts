import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runnerKit } from './runner-kit.ts'

const { runner, start, finished, log } = await runnerKit()
runner()
const asked: string[] = []
const server = createServer((request, answer) => {
  asked.push(request.url ?? '')
  answer.end('ok')
})
let base = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const request = (id: string): Promise<string> =>
  start(
    [
      'params: ID=none',
      'steps:',
      '  - name: ask',
      '    executor: {type: http, config: {silent: true}}',
      `    command: GET ${base}/users/\${ID}/posts?page=1`,
    ],
    { params: JSON.stringify({ ID: id }) },
  )

test('a param in the path of a request cannot leave the path', async () => {
  const run = await request('../admin')
  expect(await finished(run)).toMatchObject({
    status: 'failed',
    errors: { ask: expect.stringContaining('a value in the path of the address must be') as string },
  })
  expect(asked).toEqual([])
})

test('characters that would end the path are escaped', async () => {
  const run = await request('a/b?admin=1#x')
  expect(await finished(run)).toMatchObject({ status: 'success' })
  expect(asked).toEqual(['/users/a/b%3Fadmin=1%23x/posts?page=1'])
  expect(await log(run, 'ask')).toBe('ok')
})

test('a param within a JSON script cannot change the rest of the request', async () => {
  asked.length = 0
  const run = await start(
    [
      'params: BODY=none',
      'steps:',
      '  - name: ask',
      '    executor: http',
      `    command: POST ${base}/`,
      `    script: '{"body": "\${BODY}"}'`,
    ],
    { params: JSON.stringify({ BODY: '", "query": {"admin": "1"}, "x": "' }) },
  )
  expect(await finished(run)).toMatchObject({ status: 'success' })
  expect(asked).toEqual(['/'])
})
