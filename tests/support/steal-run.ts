/** Changes the owner of a run, while the process that started this one is blocked. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#lib/db/client.ts'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { takeOverLostRuns } from '#lib/runs/claim/take-over-lost-runs.ts'

const [url = '', runKey = '', ms = '0'] = process.argv.slice(2)
const db = connect(url, { max: 1, applicationName: 'thief' })
await sleep(Number(ms))
await db.sql`
  update millrace.dag_run set lease_until = clock_timestamp() - interval '1 s' where run_key = ${runKey}::bigint`
await takeOverLostRuns(db, { limit: 1, leaseMs: 0 })
await claimRuns(db, { owner: 'thief', labels: {}, count: 1, leaseMs: 60_000, known: {} })
await db.close()
