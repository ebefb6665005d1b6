import { afterAll, describe, expect, test } from 'vitest'
import { connect } from '#lib/db/client.ts'
import { hasPooler, openPooler } from '#tests/support/pgbouncer.ts'
import { browserPath } from './browser.ts'
import { webKit } from './kit.ts'

const isPossible = browserPath !== undefined && hasPooler
const { api, open } = await webKit(undefined, isPossible ? { connected: pooled } : {})
await api.createDag('orders')

/** Connects through pgbouncer in transaction mode, where LISTEN does not work. */
async function pooled(url: string) {
  const pooler = await openPooler(url, 2)
  const db = connect(pooler.url, { max: 4, applicationName: 'millrace-tests', prepare: false })
  afterAll(async () => {
    await db.close()
    await pooler.close()
  })
  return db
}

describe.skipIf(!isPossible)('behind a transaction pooler', { timeout: 60_000 }, () => {
  test('the list and the page of a run follow its changes through their streams', async () => {
    const list = await open('/runs?q=dag:orders')
    await list.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
    const run = await api.start('orders')
    await list.getByRole('row', { name: /waiting orders/ }).waitFor()
    const page = await open(`/runs/orders/${run}`)
    await page.getByRole('status', { name: 'Live' }).getByText('live', { exact: true }).waitFor()
    const calls: string[] = []
    for (const one of [list, page]) one.on('request', (request) => calls.push(request.url()))
    await api.claim()
    await page.getByRole('status', { name: 'State' }).getByText('running').waitFor()
    await list.getByRole('row', { name: /running orders/ }).waitFor()
    await api.finish(run, 'failed', { work: 'failed' })
    await page.getByRole('row', { name: 'work failed' }).first().waitFor()
    await list.getByRole('row', { name: /failed orders/ }).waitFor()
    expect(calls.filter((url) => /outline|events|dag-runs\?/.test(url))).toEqual([])
  })
})
