import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setInterval as every } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildBundles } from '#tests/support/built.ts'
import { testDatabase } from '#tests/support/database.ts'
import { hasPooler, startPooler } from '#tests/support/pooler.ts'
import { startTopology, type Topology } from '#tests/support/topology.ts'
import { until } from '#tests/support/until.ts'

const { db, url } = await testDatabase()
const built = buildBundles('api', 'tick', 'runner')
const ledger = join(built.empty, 'ledger')

/** Every step leaves a line; what each DAG writes in one run. */
const dags: Readonly<Record<string, { readonly spec: string; readonly writes: readonly string[] }>> = {
  chain: {
    writes: ['one', 'two', 'three'],
    spec: `type: chain
steps:
  - {name: one, command: sh -c "echo chain-one >> ${ledger}"}
  - {name: two, command: sh -c "sleep 0.1; echo chain-two >> ${ledger}"}
  - {name: three, command: sh -c "echo chain-three >> ${ledger}"}
`,
  },
  fan: {
    writes: ['left', 'right', 'end'],
    spec: `steps:
  - {name: left, command: sh -c "echo fan-left >> ${ledger}"}
  - {name: right, command: sh -c "echo fan-right >> ${ledger}"}
  - {name: end, depends: [left, right], command: sh -c "echo fan-end >> ${ledger}"}
`,
  },
  narrow: {
    writes: ['work'],
    spec: `queue: lane
steps:
  - {name: work, command: sh -c "echo narrow-work >> ${ledger}"}
`,
  },
  family: {
    writes: ['child'],
    spec: `steps:
  - {name: call, executor: dag, command: inner}
---
name: inner
steps:
  - {name: child, command: sh -c "echo family-child >> ${ledger}"}
`,
  },
}

async function begin(): Promise<Topology> {
  const settings = {
    DATABASE_URL: await startPooler(url, 12),
    MILLRACE_DATABASE_POOLED: 'true',
    MILLRACE_DATA_DIR: built.empty,
    MILLRACE_QUEUES: 'lane=4',
    MILLRACE_TZ: 'UTC',
  }
  return await startTopology(built, settings)
}

/** Sends a request until it is taken: while an instance goes, connections end and answers are 503. */
async function post(
  url: string,
  path: string,
  body: object,
  key: string,
): Promise<{ status: number; tries: number }> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  for (let tries = 1; ; tries++) {
    try {
      const answer = await fetch(`${url}/api/v2${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      await answer.body?.cancel()
      if (answer.status !== 503 || tries > 50) return { status: answer.status, tries }
    } catch (error) {
      if (tries > 50) throw error
    }
  }
}

test.skipIf(!hasPooler)(
  'behind a transaction pooler, every process is replaced under 20 runs a second: none fails, no step runs twice',
  async () => {
    const topology = await begin()
    for (const [name, { spec }] of Object.entries(dags)) {
      expect((await post(topology.url, '/dags', { name, spec }, name)).status).toBe(201)
    }
    const names = Object.keys(dags)
    const answers: Promise<{ status: number; tries: number }>[] = []
    const rolling = (async () => {
      const codes: (number | null)[] = []
      for (const { replace } of [...topology.members, ...topology.members]) codes.push(await replace())
      return codes
    })()
    let isOver = false
    void rolling.finally(() => (isOver = true))
    for await (const _ of every(50)) {
      const name = names[answers.length % names.length] ?? ''
      const verb = name === 'narrow' ? 'enqueue' : 'start'
      answers.push(post(topology.url, `/dags/${name}/${verb}`, {}, `run-${answers.length}`))
      if (isOver && answers.length >= 200) break
    }
    const taken = await Promise.all(answers)
    expect(new Set(await rolling)).toEqual(new Set([0]))
    expect(new Set(taken.map(({ status }) => status))).toEqual(new Set([200]))
    await until(
      'all runs have ended',
      async () => (await db.sql`select from millrace.dag_run where finished_at is null limit 1`).length === 0,
      { withinMs: 60_000 },
    )
    const ends = await db.sql<{ status: string; count: number }[]>`
      select status, count(*)::int as count from millrace.dag_run where parent_key is null group by status`
    expect(ends).toEqual([{ status: 'success', count: taken.length }])
    const lines = readFileSync(ledger, 'utf8').trim().split('\n')
    const expected = taken.flatMap((_, place) => {
      const name = names[place % names.length] ?? ''
      return dags[name]?.writes.map((step) => `${name}-${step}`) ?? []
    })
    expect(lines.sort()).toEqual(expected.sort())
    const repeated = taken.filter(({ tries }) => tries > 1).length
    console.log(
      `${taken.length} runs, ${topology.members.length * 2} processes replaced, ${repeated} calls sent again`,
    )
  },
  180_000,
)

const cases = process.env['MILLRACE_CONFORMANCE']

// Defined only where the recorded cases are: nothing is skipped anywhere else.
if (cases !== undefined) {
  test('the recorded cases of the peer pass on it', async () => {
    const topology = await begin()
    const args = [join(cases, 'run.mjs'), `${topology.url}/api/v2`, '--jobs', '6']
    const { stdout } = await promisify(execFile)(process.execPath, args)
    console.log(stdout.trim().split('\n').at(-1))
  }, 600_000)
}
