import { expect, test } from 'vitest'
import { claimRuns } from '#lib/runs/claim/claim-runs.ts'
import { takeOverLostRuns } from '#lib/runs/claim/take-over-lost-runs.ts'
import { dockerHost, image, reachEngine } from '#tests/executors/docker/engine.ts'
import { runnerKit } from './runner-kit.ts'

const engine = await reachEngine()
const kit = await runnerKit()

test.runIf(engine !== undefined)(
  'containers of a dead runner are removed before another runner continues the run',
  async () => {
    const config = `{image: "${image}", pull: never, autoRemove: true}`
    const run = await kit.start([
      'steps:',
      `  - {name: boxed, executor: {type: docker, config: ${config}}, command: echo fig}`,
    ])
    const [claimed] = await claimRuns(kit.db, {
      owner: 'a runner that dies',
      labels: {},
      count: 1,
      leaseMs: 30_000,
      known: {},
    })
    const labels = {
      'millrace.run': run,
      'millrace.run-id': claimed?.runId ?? '',
      'millrace.dag': 'demo',
      'millrace.token': claimed?.token ?? '',
    }
    await engine
      ?.createContainer({ Image: image, Cmd: ['sleep', '3600'], Labels: labels })
      .then((one) => one.start())
    const left = () =>
      engine?.listContainers({ all: true, filters: { label: [`millrace.run-id=${claimed?.runId}`] } })
    expect(await left()).toHaveLength(1)

    await kit.db
      .sql`update millrace.dag_run set lease_until = now() - interval '1 second' where run_key = ${run}`
    expect(await takeOverLostRuns(kit.db, { limit: 10, leaseMs: 0 })).toBe(1)
    kit.runner({ executors: { httpAllow: [], jqPath: undefined, docker: { host: dockerHost } } })
    expect(await kit.finished(run, 30_000)).toMatchObject({ status: 'success' })
    expect(await kit.log(run, 'boxed')).toBe('fig\n')
    expect(await left()).toEqual([])
  },
)
