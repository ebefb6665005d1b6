import { UsageError } from '../command.ts'
import { withDag } from '../find-dag.ts'
import { findRun, runHelp, runUsage } from '../find-run.ts'
import { runStatus } from '../runs.ts'
import { defineServiceCommand } from '../service.ts'

export const stop = defineServiceCommand({
  name: 'stop',
  summary: 'Stop a run, remove it from its queue, or stop all active runs of a DAG',
  usage: runUsage,
  details: `${runHelp}\n--all does not remove queued runs.`,
  options: { all: { about: 'every active run of the DAG' } },
  async run({ words, options, output }, service) {
    const [dag = '', given] = words
    if (options.all) {
      if (given !== undefined) throw new UsageError('say which RUN, or --all')
      await withDag(service, dag, async (fileName) => {
        const { errors } = await service.ask('stopAllDagRuns', { params: { fileName } })
        if (errors.length > 0) throw new Error(errors.join('; '))
      })
      output.show({ dag, stopped: 'all' }, `every active run of ${dag} is asked to stop`)
      return
    }
    const run = await findRun(service, words, { mustSayRun: true })
    const { name, dagRunId } = run
    const isQueued = runStatus(run) === 'queued'
    await service.ask(isQueued ? 'dequeueDagRun' : 'stopDagRun', { params: { name, dagRunId } })
    output.show(
      { name, dagRunId, [isQueued ? 'dequeued' : 'stopping']: true },
      `${name} ${dagRunId} ${isQueued ? 'is removed from its queue' : 'is asked to stop'}`,
    )
  },
})
