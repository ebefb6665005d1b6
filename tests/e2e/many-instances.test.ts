import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { until } from '#tests/support/until.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const { db, url } = await testDatabase()
const top = new URL('../..', import.meta.url).pathname
const parts: ChildProcess[] = []

afterAll(async () => {
  await Promise.all(
    parts.map(async (part) => {
      part.kill('SIGTERM')
      if (part.exitCode === null && part.signalCode === null) await once(part, 'exit')
    }),
  )
})

/** Starts one part of the service on the shared database. @returns the URL of an API, or the first line of others */
async function start(
  part: 'api' | 'runner' | 'tick',
  settings: Record<string, string> = {},
): Promise<string> {
  const env = {
    ...process.env,
    DATABASE_URL: url,
    MILLRACE_DATA_DIR: temporaryFolder('millrace-part'),
    MILLRACE_PORT: '0',
    ...settings,
  }
  const args = [`local/${part}.ts`, ...(part === 'tick' ? ['--watch'] : [])]
  const child = spawn(process.execPath, args, { cwd: top, env, stdio: ['ignore', 'pipe', 'pipe'] })
  parts.push(child)
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        if (part !== 'api') resolve(line)
        const url = /listens on (http:\S+)/.exec(line)?.[1]
        if (url !== undefined) resolve(`${url}/api/v2`)
      })
    }
    child.once('exit', (code) => reject(new Error(`${part} ended with ${code}`)))
  })
}

async function post(base: string, path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await reply.body?.cancel()
  return reply.status
}

test('two APIs and two runners on one Postgres finish 500 runs, each exactly once', async () => {
  const apis = await Promise.all([start('api'), start('api')])
  await Promise.all([start('runner'), start('runner'), start('tick')])
  const spec = 'steps:\n  - name: first\n    command: echo one\n  - name: second\n    command: echo two\n'
  expect(await post(apis[0] ?? '', '/dags', { name: 'many', spec })).toBe(201)
  const ids = Array.from({ length: 500 }, (_, index) => `run-${index}`)
  const queue = [...ids]
  const call = async (base: string): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      expect(await post(base, '/dags/many/start', { dagRunId: id })).toBe(200)
    }
  }
  await Promise.all([...apis, ...apis, ...apis, ...apis].map(call))
  await until(
    'all runs have ended',
    async () => {
      const rows = await db.sql`select 1 from millrace.dag_run where finished_at is null limit 1`
      return rows.length === 0
    },
    { withinMs: 60_000, everyMs: 100 },
  )
  const runs = await db.sql<{ runs: number; succeeded: number; claims: number; once: number }[]>`
    select count(*)::int as runs, count(*) filter (where status = 'success')::int as succeeded,
      sum(claim_token)::int as claims,
      (select count(*)::int from millrace.dag_run_step where status = 'success' and done_count = 1) as once
    from millrace.dag_run`
  expect(runs[0]).toEqual({ runs: 500, succeeded: 500, claims: 500, once: 1_000 })
  const shares = await db.sql<{ lines: number }[]>`
    select count(*)::int as lines from millrace.log_chunk where step = 'first' and stream = 'stdout'`
  expect(shares[0]?.lines).toBe(500)
}, 120_000)
