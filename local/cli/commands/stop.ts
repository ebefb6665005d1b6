import { actOnRuns, bulkHelp, bulkOptions, chosenRuns, namedRuns } from '../bulk-runs.ts'
import { UsageError, type Input } from '../command.ts'
import { withDag } from '../find-dag.ts'
import { findRun, isSeveral, runHelp, severalUsage } from '../find-run.ts'
import { runStatus } from '../runs.ts'
import { defineServiceCommand, type Service } from '../service.ts'

export const stop = defineServiceCommand({
  name: 'stop',
  summary: 'Stop a run, remove it from its queue, or stop several runs at once',
  usage: severalUsage,
  details:
    `${runHelp}\n${bulkHelp}\n` +
    'DAG --all neither asks nor removes queued runs; --all --dag DAG does both.',
  options: {
    all: { about: 'every active and queued run; with DAG, every active run of it' },
    ...bulkOptions,
  },
  async run(input, service) {
    const { words, options, output } = input
    const [dag = '', given] = words
    if (options.all && dag === '') {
      const runs = await chosenRuns(service, options, 'running,not_started,queued')
      return await actOnRuns(service, { action: 'stop', runs }, input)
    }
    if (options.all) return await stopAllOf(service, dag, given, output)
    if (dag === '') throw new UsageError('name the RUN, or pass --all')
    if (isSeveral(words)) {
      return await actOnRuns(service, { action: 'stop', runs: await namedRuns(service, words) }, input)
    }
    const run = await findRun(service, words, { mustSayRun: true })
    const { name, dagRunId } = run
    const isQueued = runStatus(run) === 'queued'
    await service.ask(isQueued ? 'dequeueDagRun' : 'stopDagRun', { params: { name, dagRunId } })
    output.show(
      { name, dagRunId, [isQueued ? 'dequeued' : 'stopping']: true },
      `${name} ${dagRunId} ${isQueued ? 'is removed from its queue' : 'is asked to stop'}`,
    )
    return 0
  },
})

async function stopAllOf(
  service: Service,
  dag: string,
  given: string | undefined,
  output: Input['output'],
): Promise<number> {
  if (given !== undefined) throw new UsageError('name the RUN, or pass --all')
  await withDag(service, dag, async (fileName) => {
    const { errors } = await service.ask('stopAllDagRuns', { params: { fileName } })
    if (errors.length > 0) throw new Error(errors.join('; '))
  })
  output.show({ dag, stopped: 'all' }, `every active run of ${dag} is asked to stop`)
  return 0
}
