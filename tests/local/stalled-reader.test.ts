import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

const top = new URL('../..', import.meta.url).pathname
const { O_RDONLY, O_NONBLOCK } = constants

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

interface Stalled {
  readonly url: string
  readonly child: ChildProcess
  /** Reads what the pipe holds now. */
  readonly read: () => string
  readonly close: () => void
}

/** A service whose two outputs go to one pipe, which nobody reads. */
async function startUnread(folder: string, kind: 'pipe' | 'socket'): Promise<Stalled> {
  const port = await freePort()
  const env = {
    ...process.env,
    MILLRACE_PORT: `${port}`,
    MILLRACE_DATA_DIR: folder,
    MILLRACE_LOG_LEVEL: 'debug',
    MILLRACE_RUNNER_GRACE_S: '2',
  }
  const path = join(folder, `output-${kind}`)
  execFileSync('mkfifo', [path])
  const reader = openSync(path, O_RDONLY | O_NONBLOCK)
  const writer = openSync(path, 'w')
  const output = kind === 'pipe' ? writer : 'pipe'
  const child = spawn(process.execPath, ['local/bundled.mjs', 'main'], {
    cwd: top,
    env,
    stdio: ['ignore', output, output],
  })
  const room = Buffer.alloc(1_048_576)
  const url = `http://127.0.0.1:${port}`
  await until(
    'it is ready',
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200,
    { withinMs: 60_000 },
  )
  const readPipe = (): string => {
    try {
      return room.subarray(0, readSync(reader, room)).toString()
    } catch {
      return ''
    }
  }
  return {
    url,
    child,
    read: kind === 'pipe' ? readPipe : () => (child.stdout?.read() as Buffer | null)?.toString() ?? '',
    close: () => {
      for (const file of [reader, writer]) closeSync(file)
    },
  }
}

async function run(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const post = await fetch(`${url}/api/v2/dags/hello/start`, { method: 'POST', headers, body: '{}' })
  const { dagRunId } = (await post.json()) as { dagRunId: string }
  await until('the run ends', async () => {
    const reply = await fetch(`${url}/api/v2/dag-runs/hello/${dagRunId}`)
    const { dagRunDetails } = (await reply.json()) as { dagRunDetails: { status: number } }
    return dagRunDetails.status === 4
  })
}

describe.each(['pipe', 'socket'] as const)('a %s that nobody reads', (kind) => {
  test('blocks neither API, runs nor shutdown, and tells a returning reader how much it missed', async () => {
    const data = dataFolder()
    const { url, child, read, close } = await startUnread(data.path, kind)
    const calls = async (count: number): Promise<void> => {
      const long = 'x'.repeat(200)
      for (let done = 0; done < count; done += 50) {
        const answers = Array.from({ length: 50 }, () => fetch(`${url}/api/v2/dags/${long}`))
        for (const answer of await Promise.all(answers)) await answer.arrayBuffer()
      }
    }
    await run(url)
    await calls(6_000)
    await run(url)
    const metrics = await (await fetch(`${url}/api/v2/metrics`)).text()
    expect(Number(/^millrace_log_lines_dropped_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(0)
    let seen = ''
    await until('the reader learns of dropped lines', () => {
      seen += read()
      return seen.includes('"event":"log.dropped"')
    })
    await calls(6_000)
    child.kill('SIGTERM')
    const begun = performance.now()
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).toBe(0)
    expect(performance.now() - begun).toBeLessThan(15_000)
    close()
    child.stdout?.destroy()
    child.stderr?.destroy()
    await data.remove()
  }, 120_000)
})
