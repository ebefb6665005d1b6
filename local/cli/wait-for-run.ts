import { isFinalStep, stepStatuses, type FinalRunStatus } from '#lib/core/status.ts'
import type { Output } from './output.ts'
import { runStatus, took, type RunDetails } from './runs.ts'
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
  'With --wait the exit code is 0 when the run succeeded, 1 when it failed, 3 when it was cancelled, 4 when it\n' +
  'succeeded in part. Ctrl-C ends the waiting, not the run.'

export const waitOption = { wait: { short: 'w', about: 'wait for the end of the run' } } as const

type Ref = Pick<RunDetails, 'name' | 'dagRunId'>
type Node = RunDetails['nodes'][number]

/**
 * Follows a run to its end and shows the result.
 * @returns the exit code for the result
 */
export async function waitForRun(service: Service, { name, dagRunId }: Ref, output: Output): Promise<number> {
  const params = { name, dagRunId }
  const steps = new Map<string, Node>()
  for await (const { event, data } of service.follow('followDagRun', { params })) {
    if (event === 'state') for (const node of (data as RunDetails).nodes) steps.set(node.step.name, node)
    if (event === 'step') steps.set((data as Node).step.name, data as Node)
    output.progress(progressOf(name, [...steps.values()]))
  }
  const { dagRunDetails: run } = await service.ask('getDagRun', { params })
  output.show(run, [`${name} ${dagRunId} ${run.statusLabel} after ${took(run)}`, ...faultsOf(run)].join('\n'))
  return exitCodes[runStatus(run) as FinalRunStatus] ?? 1
}

function progressOf(name: string, nodes: readonly Node[]): string {
  const statusOf = ({ status }: Node) => stepStatuses[status] ?? 'not_started'
  const over = nodes.filter((node) => isFinalStep(statusOf(node))).length
  const running = nodes.filter((node) => statusOf(node) === 'running').map(({ step }) => step.name)
  return [`${name}: ${over} of ${nodes.length} steps`, ...running].join(', ')
}

/** The distinct errors, one per line. */
function faultsOf(run: RunDetails): string[] {
  const handlers = [run.onInit, run.onSuccess, run.onFailure, run.onCancel, run.onExit]
  const nodes = [...run.nodes, ...handlers].filter((node) => node !== null)
  return [
    ...(run.error === '' ? [] : [`  ${run.error}`]),
    ...nodes.flatMap(({ step, error }) => (run.error.includes(error) ? [] : [`  ${step.name}: ${error}`])),
  ]
}
