import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Member, type Part } from '#tests/chaos/member.ts'
import { testDatabase } from '#tests/support/database.ts'
import { startProxy, type Way } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const { db, url } = await testDatabase()
const proxy = await startProxy(url)
const folder = temporaryFolder('millrace-away')
const environment = { MILLRACE_PORT: '0', MILLRACE_DATA_DIR: folder, MILLRACE_LOG_LEVEL: 'warn' }
const members = (['api', 'tick', 'runner'] as const satisfies readonly Part[]).map((part) => {
  const member = new Member({ part, name: part, databaseUrl: proxy.through(url), environment })
  member.start()
  return member
})
const api = await until('the API listens', () => members[0]?.url, { withinMs: 60_000 })

afterAll(async () => {
  await Promise.all(members.map((member) => member.end('SIGTERM')))
  await proxy.close()
})

/** One call to the API. @returns the status of the response */
async function call(method: string, path: string, body?: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const given = body === undefined ? {} : { body: JSON.stringify(body) }
  const reply = await fetch(`${api}/api/v2${path}`, { method, headers, ...given })
  await reply.text()
  return reply.status
}

async function run(dag: string, runId: string): Promise<void> {
  await until(
    'the start is acknowledged',
    async () => (await call('POST', `/dags/${dag}/start`, { dagRunId: runId })) === 200,
    { everyMs: 100 },
  )
}

const hasSucceeded = async (runId: string): Promise<boolean> => {
  const rows = await db.sql`
    select 1 from millrace.dag_run where run_id = ${runId} and status = 'success' and claim_token = 1`
  return rows.length === 1
}

/** Length of the longest outage in seconds. Set 30 for a thorough run. */
const longS = Number(process.env['MILLRACE_TEST_OUTAGE_S'] ?? '6')

test.each<{ way: Way; awayS: number }>([
  { way: 'silent', awayS: longS },
  { way: 'closing', awayS: 2 },
  { way: 'refusing', awayS: 2 },
])(
  'an outage of the database for $awayS s ($way) kills no step, gives 503, and is over 5 s after its end',
  async ({ way, awayS }) => {
    const marker = join(folder, `go-${way}`)
    const wait = `while [ ! -e ${marker} ]; do sleep 0.1; done`
    const spec = `steps:\n  - {name: long, command: "${wait}"}\n  - {name: after, command: echo}\n`
    expect(await call('POST', '/dags', { name: way, spec })).toBe(201)
    expect(await call('POST', '/dags', { name: `${way}-quick`, spec: 'steps:\n  - echo\n' })).toBe(201)
    await run(way, `through-${way}`)
    await until('its step runs', async () => {
      const rows =
        await db.sql`select 1 from millrace.dag_run_step where name = 'long' and status = 'running'`
      return rows.length === 1
    })
    await proxy.way(way)
    const gone = performance.now()
    const answers: number[] = []
    while (performance.now() - gone < awayS * 1_000) {
      const asked = performance.now()
      answers.push(await call('GET', '/dag-runs?limit=1'), await call('GET', '/health'))
      expect(performance.now() - asked).toBeLessThan(15_000)
    }
    expect(new Set(answers)).toEqual(new Set([503]))
    await proxy.way('open')
    const back = performance.now()
    await run(`${way}-quick`, `quick-${way}`)
    await until('a new run is over', () => hasSucceeded(`quick-${way}`))
    const tookMs = performance.now() - back
    console.log(`${way}, ${awayS} s: ${Math.round(tookMs)} ms from the return to the end of a new run`)
    expect(tookMs).toBeLessThan(5_500)
    writeFileSync(marker, '')
    await until('the first run has succeeded', () => hasSucceeded(`through-${way}`))
    const lost = await db.sql`select 1 from millrace.dag_run where lost_count > 0`
    expect(lost).toHaveLength(0)
    expect(members.flatMap((member) => member.faults)).toEqual([])
  },
  120_000,
)
