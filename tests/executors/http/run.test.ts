import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { httpExecutor } from '#lib/executors/http/run.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { stepContext, type Watched } from '../step-context.ts'

const answers: Record<string, RequestListener> = {
  '/text': (_, answer) => void answer.setHeader('X-Fruit', 'fig').end('pong'),
  '/unicode': (_, answer) => answer.end('smørrebrød 🥐\u0000\u00ff'),
  '/bytes': (_, answer) => answer.end(Buffer.from([0, 255, 254, 10, 13, 128])),
  '/fails': (_, answer) => void answer.writeHead(503).end('sorry'),
  '/moved': (_, answer) => void answer.writeHead(302, { location: '/text' }).end(),
  '/away': (_, answer) => void answer.writeHead(302, { location: 'http://169.254.169.254/secrets' }).end(),
  '/json': (_, answer) => answer.end('{"a":[1]}'),
  '/deep': (_, answer) => {
    const deep = `${'['.repeat(3_000)}${']'.repeat(3_000)}`
    answer.end(`[${Array.from({ length: 100 }, () => deep).join(',')}]`)
  },
  '/objects': (_, answer) => answer.end(`[${'{},'.repeat(5_000_000)}{}]`),
  '/pieces': (_, answer) => {
    answer.socket?.end(
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(4_000_000)}0\r\n\r\n`,
    )
  },
  '/silent': () => undefined,
  '/stalled': (_, answer) => void answer.write('"'),
  '/endless': (request, answer) => {
    const piece = Buffer.alloc(65_536, 'x')
    const more = (): void => {
      while (answer.write(piece));
    }
    answer.on('drain', more)
    more()
    request.on('close', () => answer.destroy())
  },
  '/status-line': (_, { socket }) => {
    const piece = Buffer.alloc(1_048_576, 'x')
    const more = (): void => {
      while (socket?.writable === true && socket.write(piece));
    }
    socket?.on('drain', more).on('error', () => undefined)
    socket?.write('HTTP/1.1 200 ')
    more()
  },
  '/echo': (request, answer) => {
    const { method, url, headers } = request
    void text(request).then((body) => answer.end(JSON.stringify({ method, url, headers, body })))
  },
}

let server: Server
let base = ''

beforeAll(async () => {
  server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    answers[pathname]?.(request, answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function step(
  line: string,
  config: Record<string, unknown> = {},
  given: Parameters<typeof stepContext>[0] = {},
): Watched {
  return stepContext({ commands: [line], config, ...given })
}

interface Echoed {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

describe('the output', () => {
  test('is the status line, the headers and the body', async () => {
    const { context, stdout } = step(`GET ${base}/text`)
    expect(await httpExecutor.run(context)).toEqual({ exitCode: 0, error: '' })
    expect(stdout()).toMatch(/^200 OK\nConnection: .*\n[^]*\nX-Fruit: fig\npong$/)
  })

  test('is only the body with silent, byte for byte', async () => {
    const bytes: Uint8Array[] = []
    const stdout = (piece: Uint8Array): undefined => void bytes.push(piece)
    await httpExecutor.run(step(`GET ${base}/bytes`, { silent: true }, { stdout }).context)
    expect(Buffer.concat(bytes)).toEqual(Buffer.from([0, 255, 254, 10, 13, 128]))
    const { context, stdout: printed } = step(`GET ${base}/unicode`, { silent: true })
    await httpExecutor.run(context)
    expect(printed()).toBe('smørrebrød 🥐\u0000\u00ff')
  })

  test('is one JSON object with json', async () => {
    const { context, stdout } = step(`GET ${base}/json`, { json: true })
    await httpExecutor.run(context)
    expect(JSON.parse(stdout())).toMatchObject({ status_code: 200, body: { a: [1] } })
  })

  test('includes status line and headers if the status fails the step, even with silent', async () => {
    const { context, stdout } = step(`GET ${base}/fails`, { silent: true })
    expect(await httpExecutor.run(context)).toEqual({ exitCode: 1, error: 'http status code not 2xx: 503' })
    expect(stdout()).toMatch(/^503 Service Unavailable\nConnection: .*\n[^]*\nsorry$/)
  })

  test('is cut if the status line never ends', async () => {
    const { context } = step(`GET ${base}/status-line`)
    expect(await httpExecutor.run(context)).toEqual({
      exitCode: 1,
      error: `the answer with its headers and framing is larger than ${limits.httpAnswerBytesMax} bytes`,
    })
  })

  test('is cut if the body never ends, without buffering it', async () => {
    const { context, stdout } = step(`GET ${base}/endless`, { json: true })
    const outcome = await httpExecutor.run(context)
    expect(outcome).toEqual({ exitCode: 1, error: 'the body of the answer is larger than 16777216 bytes' })
    expect(stdout()).toBe('')
  })
})

describe('the request', () => {
  async function echoed(line: string, config: Record<string, unknown>, script?: string): Promise<Echoed> {
    const { context, stdout } = step(line, { silent: true, ...config }, { script })
    expect(await httpExecutor.run(context)).toEqual({ exitCode: 0, error: '' })
    return JSON.parse(stdout()) as Echoed
  }

  test('has the given method, query, headers and body', async () => {
    const sent = await echoed(`post ${base}/echo?a=1`, {
      query: { q: 'plum & fig', a: '2' },
      headers: { 'X-Probe': 'yes' },
      body: '{"colour": "teal"}',
    })
    expect(sent).toMatchObject({
      method: 'POST',
      url: '/echo?a=1&q=plum+%26+fig&a=2',
      body: '{"colour": "teal"}',
    })
    expect(sent.headers['x-probe']).toBe('yes')
  })

  test('sends a login in the URL as a header', async () => {
    const sent = await echoed(`GET ${base.replace('://', '://ann:p%40ss@')}/echo`, {})
    expect(sent.headers['authorization']).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`)
  })

  test('takes its configuration from a JSON script', async () => {
    expect(await echoed(`PUT ${base}/echo`, {}, '{"body": "fig"}')).toMatchObject({
      method: 'PUT',
      body: 'fig',
    })
  })

  test('follows redirects', async () => {
    const { context, stdout } = step(`GET ${base}/moved`, { silent: true })
    await httpExecutor.run(context)
    expect(stdout()).toBe('pong')
  })
})

describe('metadata addresses', () => {
  const refused = /is a link-local or metadata address, which steps may not call unless MILLRACE_HTTP_ALLOW/

  test.each([
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://169.254.169.254./',
    'http://１６９.254.169.254/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://[::169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::169.254.169.254]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[fd20:ce::254]/',
    'http://[fd00:ec2::254]/',
  ])('%s is refused', async (address) => {
    const { context } = step(`GET ${address}`, { timeout: 5 })
    expect(await httpExecutor.run(context)).toEqual({
      exitCode: 1,
      error: expect.stringMatching(refused) as string,
    })
  })

  test('are refused even if the environment names a proxy', async () => {
    for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy']) vi.stubEnv(name, base)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    const { context } = step('GET http://169.254.169.254/text', { timeout: 5 })
    expect((await httpExecutor.run(context)).error).toMatch(refused)
    vi.unstubAllEnvs()
  })

  test('are refused as the target of a redirect', async () => {
    const { context } = step(`GET ${base}/away`, { timeout: 5 })
    expect(await httpExecutor.run(context)).toEqual({
      exitCode: 1,
      error: expect.stringMatching(refused) as string,
    })
  })

  test('may be allowed by the deployment', async () => {
    const settings = { httpAllow: ['169.254.0.0/16'], jqPath: undefined }
    const { context } = step('GET http://169.254.169.254/', { timeout: 0.2 }, { settings })
    expect((await httpExecutor.run(context)).error).not.toMatch(refused)
  })
})

describe('failures', () => {
  test('a response that is too late fails the step', async () => {
    const { context } = step(`GET ${base}/silent`, { timeout: '0.1' })
    expect(await httpExecutor.run(context)).toEqual({ exitCode: 1, error: 'no answer within 0.1 s' })
  })

  test('a stop ends a waiting request, and leaves no connection', async () => {
    const { context, controller } = step(`GET ${base}/silent`)
    const arrived = once(server, 'request')
    const running = httpExecutor.run(context)
    await arrived
    controller.abort('stopped')
    expect(await running).toEqual({ exitCode: 1, error: 'the request was stopped' })
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))))
      .toBe(0)
  })

  test('an unreachable server is reported with its address', async () => {
    const { context } = step('GET http://127.0.0.1:1/')
    expect((await httpExecutor.run(context)).error).toBe('connect ECONNREFUSED 127.0.0.1:1')
  })

  test('a malformed command is reported', async () => {
    const { context } = step('GET ftp://example.org')
    expect((await httpExecutor.run(context)).error).toBe(
      'command must be a method and an http or https address, is "GET ftp://example.org"',
    )
  })
})

describe('a hostile response', () => {
  test('of deeply nested brackets is not indented', async () => {
    const spent = cpuTime()
    const { context, ...watched } = step(`GET ${base}/deep`, { json: true })
    expect(await httpExecutor.run(context)).toEqual({ exitCode: 0, error: '' })
    expect(watched.stdout()).toContain(`\n "body": [${'['.repeat(3_000)}]`)
    expect(watched.stdout()).toMatch(/\]\n\}\n$/)
    expect(spent()).toBeLessThan(1_500)
  })

  test.each([
    ['as a response', 'GET', '/objects', undefined],
    ['as a script', 'POST', '/text', `{"body": [${'{},'.repeat(5_000_000)}{}]}`],
  ])('of millions of objects is never parsed into objects: %s', async (_, method, path, script) => {
    const spent = cpuTime()
    const { context } = step(`${method} ${base}${path}`, { json: true }, { script })
    expect(await httpExecutor.run(context)).toEqual({ exitCode: 0, error: '' })
    expect(spent()).toBeLessThan(1_500)
  })

  test('in chunks of one byte takes little memory', async () => {
    const before = process.memoryUsage().heapUsed
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }, 20)
    const { context, ...watched } = step(`GET ${base}/pieces`, { json: true })
    expect(await httpExecutor.run(context)).toEqual({ exitCode: 0, error: '' })
    clearInterval(timer)
    expect(watched.stdout()).toContain('xxx')
    expect(most).toBeLessThan(250_000_000)
  }, 30_000)
})

test('a run holds few bodies in memory at the same time, without delaying other runs', async () => {
  const ofRun = (runKey: string, path: string, config: object = {}) => {
    const run = { owner: 'test', runKey, runId: 'r', dagName: 'd', token: '1', atEnd: () => undefined }
    const watched = step(`GET ${base}${path}`, { json: true, ...config }, { run })
    return { ...watched, outcome: httpExecutor.run(watched.context) }
  }
  const arrived = once(server, 'request').then(() => once(server, 'request'))
  const stalled = Array.from({ length: limits.httpJsonPerRunMax }, () => ofRun('1', '/stalled'))
  await arrived
  // A request of the same length gets its headers later than those before it.
  for (let turn = 0; turn < 3; turn++) expect((await ofRun('2', '/json').outcome).exitCode).toBe(0)
  const waiting = ofRun('1', '/json')
  expect((await ofRun('1', '/json', { timeout: 1 }).outcome).error).toBe('no answer within 1 s')
  expect(waiting.stdout()).toBe('')
  stalled[0]?.controller.abort('stopped')
  expect((await waiting.outcome).exitCode).toBe(0)
  for (const { controller } of stalled) controller.abort('stopped')
  await Promise.all(stalled.map(({ outcome }) => outcome))
})
