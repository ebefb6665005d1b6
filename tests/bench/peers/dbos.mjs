// Throughput of durable workflows on a queue, each with one step that does nothing, from the first to the last.
import { DBOS } from '@dbos-inc/dbos-sdk'

const [url, count] = process.argv.slice(2)
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error' })
let first
const work = DBOS.registerWorkflow(
  async () => {
    first ??= performance.now()
    await DBOS.runStep(() => Promise.resolve(1), { name: 'nothing' })
  },
  { name: 'bench' },
)
await DBOS.launch()
const queue = await DBOS.registerQueue('bench')
const begun = await Promise.all(
  Array.from({ length: Number(count) }, () => DBOS.startWorkflow(work, { queueName: queue.name })()),
)
await Promise.all(begun.map((handle) => handle.getResult()))
console.log(JSON.stringify({ perSecond: (Number(count) / (performance.now() - first)) * 1000 }))
await DBOS.shutdown()
process.exit(0)
