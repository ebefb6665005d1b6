import { isFinalStep, stepStatuses, type FinalRunStatus, type StepStatus } from '#lib/core/status.ts'
import { failureLines, readFailures } from './failures.ts'
import { plain, type Output } from './output.ts'
import { childLabels } from './past-steps.ts'
import { errorLine, nodesOf, runStatus, took, type RunDetails, type RunNode } from './runs.ts'
import type { Service } from './service.ts'

/** Exit codes of commands that wait for a run. */
const exitCodes: Readonly<Record<FinalRunStatus, number>> = {
  success: 0,
  failed: 1,
  cancelled: 3,
  partial_success: 4,
}

/** Help text of commands that wait. */
export const waitDetails =
  'With --wait, a terminal shows the steps as they end, and the last lines of failed steps. The exit\n' +
  'code is 0 if the run succeeded, 1 if it failed, 3 if it was cancelled, 4 if it succeeded in part.\n' +
  'Ctrl-C stops waiting, not the run.'

export const waitOption = { wait: { short: 'w', about: 'wait for the end of the run' } } as const

type Ref = Pick<RunDetails, 'name' | 'dagRunId'>

/**
 * Follows a run to its end and shows the result.
 * @returns the exit code for the result
 */
export async function waitForRun(service: Service, { name, dagRunId }: Ref, output: Output): Promise<number> {
  const params = { name, dagRunId }
  const steps = new Map<string, RunNode>()
  const shown = new Set<string>()
  for await (const { event, data } of service.follow('followDagRun', { params })) {
    const changed =
      event === 'state' ? nodesOf(data as RunDetails) : event === 'step' ? [data as RunNode] : []
    for (const node of changed) {
      steps.set(node.step.name, node)
      if (!isOver(node) || shown.has(node.step.name)) continue
      shown.add(node.step.name)
      for (const line of endOf(node, output)) output.note(line)
    }
    output.progress(progressOf(name, [...steps.values()]))
  }
  const { dagRunDetails: run } = await service.ask('getDagRun', { params })
  const failures = runStatus(run) !== 'success' ? await readFailures(service, run) : []
  const first = `${name} ${dagRunId} ${output.status(run.statusLabel)} after ${took(run)}`
  // The error of a run repeats that of the step that failed it.
  const isRepeated = failures.some(({ error }) => error !== '' && run.error.includes(errorLine(error)))
  const error = run.error === '' || isRepeated ? [] : [`  ${errorLine(run.error)}`]
  const lines = failureLines(failures, output).map((line) => `  ${line}`)
  output.show({ ...run, failures }, [first, ...error, ...lines].join('\n'))
  return exitCodes[runStatus(run) as FinalRunStatus] ?? 1
}

const statusOf = ({ status }: RunNode): StepStatus => stepStatuses[status] ?? 'success'
const isOver = (node: RunNode): boolean => isFinalStep(statusOf(node))

const marks: Readonly<Partial<Record<StepStatus, string>>> = {
  success: '✓',
  failed: '✗',
  skipped: '-',
  cancelled: '-',
}

/** Lines about a finished step and its child runs. */
function endOf(node: RunNode, output: Output): string[] {
  const { step, error, statusLabel } = node
  const mark = output.status(statusLabel).replace(statusLabel, marks[statusOf(node)] ?? '✓')
  const duration = node.startedAt === '' ? '' : `  ${took(node)}`
  const why = error === '' ? '' : `  ${errorLine(error)}`
  const labels = childLabels(node.children)
  return [
    `${mark} ${plain(step.name)}  ${statusLabel}${duration}${why}`,
    ...node.children.map(
      (child) =>
        `    ${plain(labels.get(child.dagRunId) ?? child.name)}  ${output.status(child.statusLabel)}`,
    ),
  ]
}

function progressOf(name: string, nodes: readonly RunNode[]): string {
  const over = nodes.filter(isOver).length
  const running = nodes.filter((node) => statusOf(node) === 'running').map(({ step }) => step.name)
  return [`${name}: ${over} of ${nodes.length} steps`, ...running].join(', ')
}
