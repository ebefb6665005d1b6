import { listDags } from '../dags.ts'
import { childOption, findChild, findRun, runStatus, took, type RunDetails } from '../runs.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { plain, type Output } from '../output.ts'

export const status = defineServiceCommand({
  name: 'status',
  summary: 'Show a run with its steps, or all DAGs with their latest runs',
  usage: ['[DAG] [RUN]'],
  details: 'RUN is an id, or latest, which it is when absent.',
  options: { child: childOption },
  async run({ words: [dag, run = 'latest'], options: { child }, output }, service) {
    if (dag === undefined) return await showDags(service, output)
    const found = await findRun(service, dag, run)
    if (child !== undefined) {
      const below = await findChild(service, found, child)
      return output.show(below, textOf(below).join('\n'))
    }
    const { name, dagRunId } = found
    const { reasons } = await service.ask('explainDagRun', { params: { name, dagRunId } })
    output.show(
      { ...found, reasons },
      [...textOf(found), ...reasons.map(({ text }) => `  ${text}`)].join('\n'),
    )
  },
})

async function showDags(service: Service, output: Output): Promise<void> {
  output.table(
    await listDags(service),
    {
      dag: ({ fileName }) => fileName,
      latest: ({ latestDAGRun }) => latestDAGRun?.statusLabel ?? '-',
      started: ({ latestDAGRun }) => latestDAGRun?.startedAt || '-',
      schedule: ({ dag, suspended }) =>
        `${dag.schedule.map(({ expression }) => expression).join(', ')}${suspended ? ' (suspended)' : ''}`,
      faults: ({ errors }) => errors.join('; '),
    },
    'no DAGs',
  )
}

function textOf(run: RunDetails): string[] {
  const since = runStatus(run) === 'queued' ? `queued ${run.queuedAt}` : `started ${run.startedAt || '-'}`
  const width = Math.max(0, ...run.nodes.map(({ step }) => step.name.length))
  return [
    `${run.name} ${run.dagRunId} ${run.statusLabel}, ${since}, took ${took(run)}`,
    ...run.nodes.flatMap((node) => [
      plain(
        `  ${node.step.name.padEnd(width)}  ${node.statusLabel.padEnd(11)}  ${took(node).padEnd(8)}  ${node.error}`,
      ).trimEnd(),
      ...[...node.children, ...node.childrenRepeated].map((child) =>
        plain(`    ${child.name} ${child.dagRunId} ${child.statusLabel}`),
      ),
    ]),
  ]
}
