import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { millrace } from '#tests/support/command-line.ts'
import { dataFolder, startServer } from '#tests/support/server.ts'

const run = promisify(execFile)
const data = dataFolder()
const server = await startServer(data.path, { MILLRACE_LOG_LEVEL: 'silent' })
const here = { MILLRACE_URL: server.url }
for (const name of ['hello-again', 'other']) {
  await server.post('/dags', { name, spec: 'steps:\n  - name: a\n    command: "true"\n' })
}

afterAll(async () => {
  await server.stop()
  await data.remove()
})

/** A service that lives as long as the test and answers every request like this. */
async function listen(answer: RequestListener): Promise<{ MILLRACE_URL: string }> {
  const other = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    other.closeAllConnections()
    other.close()
  })
  await new Promise((resolve) => other.once('listening', resolve))
  return { MILLRACE_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }
}

const program = `millrace() { ${process.execPath} local/bundled.mjs millrace "$@"; }`

/** What bash offers for these words, of which the last is incomplete. */
async function bash(words: readonly string[], environment: Record<string, string> = {}): Promise<string[]> {
  const cursor = `COMP_WORDS=(millrace ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}`
  const { stdout: script } = await millrace(['completion', 'bash'])
  const ask = `${program}\n${script}\n${cursor}\n_millrace\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = await run('bash', ['-c', ask], { env: { ...process.env, ...environment } })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

describe('bash', () => {
  test('completes commands, their options and their verbs', async () => {
    expect(await bash(['st'])).toEqual(['start', 'stop', 'status'])
    expect(await bash(['start', '--w'])).toEqual(['--wait'])
    expect(await bash(['keys', 'l'])).toEqual(['list'])
    expect(await bash(['help', 'vers'])).toEqual(['versions', 'version'])
    expect(await bash(['ps', ''])).toEqual(['--url', '--key', '--utc', '--json', '--help'])
  })

  test('completes DAG names where a DAG is expected', async () => {
    expect(await bash(['start', 'hel'], here)).toEqual(['hello', 'hello-again'])
    expect(await bash(['start', '--wait', 'oth'], here)).toEqual(['other'])
    expect(await bash(['next', 'other', 'hello-'], here)).toEqual(['hello-again'])
    expect(await bash(['keys', 'hel'], here)).toEqual([])
  })

  test('never expands a name that the service returns', async () => {
    const item = (fileName: string) => ({ fileName, dag: { name: fileName } })
    const dags = ['$(id)', 'a`id`', 'a b', 'a*', 'a.b-c_d'].map(item)
    const strange = await listen((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ dags }))
    })
    expect(await bash(['start', ''], strange)).toEqual(expect.arrayContaining(['a.b-c_d', '--wait']))
    expect((await millrace(['completion', 'dags'], strange)).stdout).toBe('a.b-c_d\n')
  })
})

describe('completion of DAG names', () => {
  test('offers the names with the given prefix', async () => {
    expect(await millrace(['completion', 'dags', 'hel'], here)).toEqual({
      code: 0,
      stdout: 'hello\nhello-again\n',
      stderr: '',
    })
    expect((await millrace(['completion', 'dags', 'again'], here)).stdout).toBe('')
    expect((await millrace(['completion', 'dags', 'oth', '--json'], here)).stdout).toBe('{"dag":"other"}\n')
  })

  const silence = { code: 0, stdout: '', stderr: '' }

  test('is empty and silent without a service, or if the service refuses', async () => {
    const nowhere = { MILLRACE_URL: 'http://127.0.0.1:1' }
    expect(await millrace(['completion', 'dags'], nowhere)).toEqual(silence)
    expect(await millrace(['completion', 'dags'], { MILLRACE_URL: 'not a URL' })).toEqual(silence)
    const locked = await listen((_request, response) => void response.writeHead(401).end('{}'))
    expect(await millrace(['completion', 'dags'], locked)).toEqual(silence)
  })

  test.each<[string, RequestListener]>([
    ['that never answers', () => {}],
    ['that stops within its answer', (_request, response) => void response.write('{"dags"')],
  ])('is empty and silent for a service %s', async (_what, answer) => {
    expect(await millrace(['completion', 'dags'], await listen(answer))).toEqual(silence)
  })
})

test.each(['zsh', 'fish'].filter((shell) => existsSync(`/usr/bin/${shell}`)))(
  '%s parses its completion script',
  async (shell) => {
    const { stdout: script } = await millrace(['completion', shell])
    await run(shell, ['-n', '-c', script])
  },
)
