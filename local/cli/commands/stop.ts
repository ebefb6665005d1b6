import { UsageError } from '../command.ts'
import { findRun, runStatus } from '../runs.ts'
import { defineServiceCommand } from '../service.ts'

export const stop = defineServiceCommand({
  name: 'stop',
  summary: 'Stop a run, or take it from its queue; or all that run of a DAG',
  usage: ['DAG [RUN]'],
  details: 'RUN is an id, or latest. What waits in a queue is not stopped by --all.',
  options: { all: { about: 'every run of the DAG that is under way' } },
  async run({ words, options, output }, service) {
    const [dag = '', given] = words
    if ((given === undefined) === !options.all) throw new UsageError('say which RUN, or --all')
    if (given === undefined) {
      const { errors } = await service.ask('stopAllDagRuns', { params: { fileName: dag } })
      if (errors.length > 0) throw new Error(errors.join('; '))
      output.show({ dag, stopped: 'all' }, `every run of ${dag} is asked to stop`)
      return
    }
    const run = await findRun(service, dag, given)
    const { name, dagRunId } = run
    const isQueued = runStatus(run) === 'queued'
    await service.ask(isQueued ? 'dequeueDagRun' : 'stopDagRun', { params: { name, dagRunId } })
    output.show(
      { name, dagRunId, [isQueued ? 'dequeued' : 'stopping']: true },
      `${name} ${dagRunId} ${isQueued ? 'is taken from its queue' : 'is asked to stop'}`,
    )
  },
})
