import { expect, test } from 'vitest'
import { testApi } from '#tests/support/api.ts'

const api = await testApi()
const { db } = api.database
const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

async function startedBy(
  path: string,
  traceparent: string,
  body: object = {},
): Promise<string | null | undefined> {
  const answer = await api.call<{ dagRunId: string }>('POST', path, { body, headers: { traceparent } })
  expect(answer.status).toBe(200)
  const [run] = await db.sql<{ traceparent: string | null }[]>`
    select traceparent from millrace.dag_run where run_id = ${answer.body.dagRunId}`
  return run?.traceparent
}

test('a run that is started with a traceparent belongs to that trace', async () => {
  await api.createDag('traced')
  const inline = { name: 'inline', spec: 'steps:\n  - echo\n' }
  expect(await startedBy('/dags/traced/start', given)).toBe(given)
  expect(await startedBy('/dags/traced/enqueue', given)).toBe(given)
  expect(await startedBy('/dag-runs', given, inline)).toBe(given)
  expect(await startedBy('/dag-runs/enqueue', given, inline)).toBe(given)
})

test.each([
  ['of a later version', `01${given.slice(2)}-more`, given],
  ['of an invalid version', `ff${given.slice(2)}`, null],
  ['with more fields than its version has', `${given}-more`, null],
  ['without a trace', given.replace(/0af\w+c/, '0'.repeat(32)), null],
  ['of an invalid form', 'drop table', null],
])('a traceparent %s is used or ignored, never refused', async (_what, header, kept) => {
  expect(await startedBy('/dags/traced/start', header)).toBe(kept)
})
