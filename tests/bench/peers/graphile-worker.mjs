// Throughput of jobs that do nothing, with the defaults of the library, from the first to the last.
import { Logger, makeWorkerUtils, run } from 'graphile-worker'

const [connectionString, count] = process.argv.slice(2)
const logger = new Logger(() => () => {})
const utils = await makeWorkerUtils({ connectionString, logger })
await utils.migrate()
await utils.addJobs(Array.from({ length: Number(count) }, () => ({ identifier: 'nothing', payload: {} })))
const { promise, resolve } = Promise.withResolvers()
let first
let done = 0
const runner = await run({
  connectionString,
  logger,
  noHandleSignals: true,
  taskList: {
    nothing: async () => {
      first ??= performance.now()
      if (++done === Number(count)) resolve()
    },
  },
})
await promise
const perSecond = (Number(count) / (performance.now() - first)) * 1000
await runner.stop()
await utils.release()
console.log(JSON.stringify({ perSecond }))
process.exit(0)
