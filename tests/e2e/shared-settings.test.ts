import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '#lib/client/client.ts'
import { buildBundles, startBundle } from '#tests/support/built.ts'
import { testDatabase } from '#tests/support/database.ts'
import { startTopology } from '#tests/support/topology.ts'
import { until } from '#tests/support/until.ts'

const { db, url } = await testDatabase()
const { dist, empty } = buildBundles('api', 'tick', 'runner', 'migrate')
const names = ['MILLRACE_BASE_CONFIG', 'MILLRACE_QUEUES', 'MILLRACE_TZ']

function baseOf(word: string): string {
  const file = join(empty, `base-${word}.yaml`)
  writeFileSync(file, `env:\n  - WORD: ${word}\n`)
  return file
}

const settingsOf = (zone: string, lane: number, word: string) => ({
  DATABASE_URL: url,
  MILLRACE_DATA_DIR: empty,
  MILLRACE_TZ: zone,
  MILLRACE_QUEUES: `lane=${lane}`,
  MILLRACE_BASE_CONFIG: baseOf(word),
})
const first = settingsOf('UTC', 1, 'old')
const second = settingsOf('Asia/Tokyo', 3, 'new')

/** 03:00 in Tokyo is 18:00 UTC. */
const nightly =
  'schedule: "0 3 * * *"\nqueue: lane\nsteps:\n  - {name: say, command: echo $WORD, output: SAID}\n'

test('changed settings of a tick take effect in all parts of the service', async () => {
  const { url: base, members } = await startTopology({ dist, empty }, first)
  const call = createClient({ baseUrl: `${base}/api/v2` })

  /** Hour of the next start in UTC, limit of the queue, what a run prints. */
  const effects = async (fileName: string): Promise<unknown[]> => {
    const { body: listed } = await call('listDags', { query: { name: fileName } })
    const { body: queues } = await call('listQueues', {})
    const started = await call('startDag', { params: { fileName }, body: {} })
    if (listed === undefined || started.status !== 200) throw new Error(JSON.stringify(started.body))
    const { dagRunId } = started.body
    await until('the run has ended', async () => {
      const [row] = await db.sql`
        select from millrace.dag_run where run_id = ${dagRunId} and finished_at is not null`
      return row !== undefined
    })
    const [said] = await db.sql<{ word: string }[]>`
      select s.outputs ->> 'SAID' as word from millrace.dag_run_step s join millrace.dag_run r using (run_key)
      where r.run_id = ${dagRunId}`
    const dags = 'dags' in listed ? listed.dags : []
    return [
      new Date(dags[0]?.nextRun ?? '').getUTCHours(),
      queues && 'queues' in queues && queues.queues.find(({ name }) => name === 'lane')?.maxConcurrency,
      said?.word,
    ]
  }
  expect((await call('createDag', { body: { name: 'nightly', spec: nightly } })).status).toBe(201)
  expect(await effects('nightly')).toEqual([3, 1, 'old'])

  const ticks = members.filter(({ name }) => name.startsWith('tick'))
  await ticks[0]?.replace(second)
  expect(await effects('nightly')).toEqual([18, 3, 'new'])
  // It logs the three settings that differ from the values in force.
  const reported = (output = '') => names.filter((name) => output.includes(`"name":"${name}"`))
  expect(reported(ticks[0]?.output())).toEqual(names)
  expect(ticks[0]?.output()).toMatch(/"level":"warn".*"event":"setting.applied".*"before":"UTC"/)

  // The other tick and both APIs still have the old values, and do not use them.
  expect((await call('createDag', { body: { name: 'later', spec: nightly } })).status).toBe(201)
  expect(await effects('later')).toEqual([18, 3, 'new'])

  // The last tick to start wins; one that starts with the values in force logs nothing.
  await ticks[1]?.replace(first)
  expect(await effects('later')).toEqual([3, 1, 'old'])
  await ticks[0]?.replace(first)
  expect(reported(ticks[0]?.output())).toEqual([])

  // A migration keeps settings that it is not given, and applies those that it is, even an empty one.
  const migrate = async (settings: Readonly<Record<string, string>>): Promise<number | null> =>
    await startBundle(join(dist, 'migrate/index.mjs'), settings, { cwd: empty }).exit
  expect(await migrate({ DATABASE_URL: url, TZ: 'America/Lima' })).toBe(0)
  expect(await effects('nightly')).toEqual([3, 1, 'old'])
  expect(await migrate({ DATABASE_URL: url, MILLRACE_TZ: 'Asia/Tokyo', MILLRACE_QUEUES: '' })).toBe(0)
  expect(await effects('nightly')).toEqual([18, undefined, 'old'])
}, 120_000)
