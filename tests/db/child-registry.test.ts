import { afterAll, expect, test } from 'vitest'
import { atFailpoints } from '#lib/core/failpoint.ts'
import { createDag } from '#lib/dags/create-dag.ts'
import { connect } from '#lib/db/client.ts'
import { ChildRegistry } from '#lib/runner/children/child-registry.ts'
import { claimRuns, type ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { createDefinitionReader } from '#lib/runs/read/read-definition.ts'
import { recordProgress } from '#lib/runs/claim/record-progress.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runRequest } from '#tests/support/run-request.ts'
import { startProxy } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'
import { checkingResults } from '#tests/support/sql-results.ts'

const { db, url } = await testDatabase()
const proxy = await startProxy(url)
const own = checkingResults(connect(proxy.through(url), { max: 1, applicationName: 'millrace-test' }))
const registry = new ChildRegistry({
  db: own,
  definitions: createDefinitionReader(),
  onStarted: () => {},
  onFailure: (error) => expect.fail(String(error)),
})

afterAll(async () => {
  atFailpoints(() => undefined)
  await own.close()
  await proxy.close()
})

const spec = 'steps:\n  - name: call\n    call: below\n'
await createDag(db, { fileName: 'below', spec: 'steps:\n  - echo below\n', zone: 'UTC' })

async function claim(owner: string): Promise<ClaimedRun> {
  const [run] = await claimRuns(db, { owner, labels: {}, count: 1, leaseMs: 30_000, known: {} })
  return run ?? expect.fail('nothing to claim')
}

async function children() {
  await createRuns(db, [runRequest({ dagName: 'above', fileName: null, spec, definitionHash: spec })])
  const parent = await claim('parent')
  return registry.of(parent)({
    step: 'call',
    iteration: 0,
    reattach: false,
    signal: new AbortController().signal,
  })
}

/** Another runner finishes the child, and the registry gets the hint. */
async function endChild(): Promise<void> {
  const { runKey, token } = await claim('other')
  await recordProgress(db, [{ runKey, token, steps: [], finish: { status: 'success', error: '' } }])
  await registry.poll()
}

test('the result of a child run that ended early is found when it is awaited', async () => {
  const runs = await children()
  await runs.begin({ runId: 'quick', dag: 'below', params: undefined })
  await endChild()
  expect(await runs.ended('quick')).toMatchObject({ dagName: 'below', status: 'success' })
})

test('the result of a child run that ended before the response to its start is found too', async () => {
  const runs = await children()
  const [row] = await own.sql<{ port: number }[]>`select inet_client_port() as port`
  let release = (): void => expect.fail('no child run was created')
  atFailpoints((name) => {
    if (name === 'child.creating') release = proxy.hold(row?.port ?? 0)
  })
  const begun = runs.begin({ runId: 'quicker', dag: 'below', params: undefined })
  await until('the child run exists', async () => {
    return (await db.sql`select from millrace.dag_run where run_id = 'quicker'`).length === 1
  })
  await endChild()
  release()
  await begun
  expect(await runs.ended('quicker')).toMatchObject({ dagName: 'below', status: 'success' })
})
