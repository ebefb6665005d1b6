import { whyHelp } from '#lib/core/help-pages.ts'
import { listDagsAndFaults } from '../dags.ts'
import { findRun, runHelp, runUsage } from '../find-run.ts'
import { plain, type Output } from '../output.ts'
import { childLabels } from '../past-steps.ts'
import {
  childOption,
  errorLine,
  findChild,
  nodesOf,
  runStatus,
  took,
  type RunDetails,
  type RunNode,
} from '../runs.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { attemptLine } from '../show-attempts.ts'
import { text } from '../table.ts'
import { whoStopped } from '../who-stopped.ts'

export const status = defineServiceCommand({
  name: 'status',
  summary: 'Show a run with its steps, or all DAGs with their latest runs',
  usage: ['', ...runUsage],
  details: runHelp,
  options: { child: childOption },
  async run({ words, options: { child }, output }, service) {
    if (words.length === 0) return await showDags(service, output)
    const found = await findRun(service, words)
    if (child !== undefined) {
      const below = await findChild(service, found, child)
      return output.show(below, textOf(below, output).join('\n'))
    }
    const { name, dagRunId } = found
    const { reasons } = await service.ask('explainDagRun', { params: { name, dagRunId } })
    const stoppedBy = await whoStopped(service, found)
    const who = stoppedBy === undefined ? [] : [`  stopped by ${plain(stoppedBy)}`]
    const help = reasons.flatMap(({ rule }) => whyHelp[rule] ?? [])
    const pages = [...new Set(help)].map((page) => `  help: ${service.docsUrl}/${page}`)
    output.show(
      { ...found, reasons, ...(stoppedBy !== undefined && { stoppedBy }) },
      [
        ...textOf(found, output),
        ...who,
        ...reasons.map((reason) => `  ${plain(reason.text)}`),
        ...pages,
      ].join('\n'),
    )
  },
})

async function showDags(service: Service, output: Output): Promise<void> {
  const { dags, faults } = await listDagsAndFaults(service)
  output.table(
    dags,
    {
      dag: ({ fileName }) => fileName,
      latest: output.statuses(({ latestDAGRun }) => latestDAGRun?.statusLabel ?? '-'),
      started: ({ latestDAGRun }) => output.time(latestDAGRun?.startedAt ?? ''),
      schedule: text(
        ({ dag, suspended }) =>
          `${dag.schedule.map(({ expression }) => expression).join(', ')}${suspended ? ' (suspended)' : ''}`,
      ),
      faults: text(({ errors }) => errors.join('; ')),
    },
    'no DAGs',
  )
  for (const fault of faults) output.writeError(`${output.style('red', 'fault:')} ${plain(fault)}\n`)
}

function textOf(run: RunDetails, output: Output): string[] {
  const started = run.startedAt === '' ? '' : `, started ${output.time(run.startedAt)}, took ${took(run)}`
  const since = runStatus(run) === 'queued' ? `, queued ${output.time(run.queuedAt)}` : started
  // A run lists all handlers of its definition, even those that did not apply.
  const nodes = nodesOf(run).filter((node) => run.nodes.includes(node) || node.startedAt !== '')
  const width = Math.max(0, ...nodes.map(({ step }) => step.name.length))
  const labels = Math.max(0, ...nodes.map(({ statusLabel }) => statusLabel.length))
  return [
    `${run.name} ${run.dagRunId} ${output.status(run.statusLabel)}${since}`,
    ...(run.params === '' ? [] : [`  params: ${plain(run.params)}`]),
    ...(run.attempts ?? []).map((attempt) => `  ${attemptLine(attempt, output)}`),
    ...nodes.flatMap((node) => [
      `  ${plain(node.step.name).padEnd(width)}  ${output.status(node.statusLabel)}` +
        `${' '.repeat(labels - node.statusLabel.length)}  ${took(node).padEnd(8)}  ${errorLine(node.error)}`.trimEnd(),
      ...childrenOf(node, output),
    ]),
  ]
}

/** Children of one step are labelled with their items. */
function childrenOf(node: RunNode, output: Output): string[] {
  const children = [...node.childrenRepeated, ...node.children]
  const labels = childLabels(children)
  return children.map(({ name, dagRunId, statusLabel }) => {
    const label = children.length > 1 ? `  ${labels.get(dagRunId) ?? ''}` : ''
    return `    ${plain(`${name} ${dagRunId}`)} ${output.status(statusLabel)}${plain(label)}`
  })
}
