import { isFinalStep, stepStatuses } from '#lib/core/status.ts'
import type { Output } from './output.ts'
import { pastSteps, type PastStep } from './past-steps.ts'
import { nodesOf, type RunDetails, type RunNode } from './runs.ts'
import type { Service } from './service.ts'
import { linePrinter, showFailure, showStep, streamsOf, type StepView } from './show-steps.ts'

/** Maximum number of steps followed at the same time; others wait for one of them to end. */
const followedMax = 16

/** Prints the output of a run's steps live, until the run ends. */
export async function followSteps(
  service: Service,
  { name, dagRunId }: Pick<RunDetails, 'name' | 'dagRunId'>,
  view: StepView,
  output: Output,
): Promise<void> {
  const params = { name, dagRunId }
  const started = new Map<string, Promise<void>>()
  const followed = new Set<string>()
  const open = new Set<Promise<void>>()
  const follow = async (past: PastStep): Promise<void> => {
    while (open.size >= followedMax) await Promise.race(open)
    const all = Promise.all(
      streamsOf(past, view.streams).map((stream) => followStream(service, past, stream, output)),
    )
    const settled = all.then(() => undefined)
    open.add(settled)
    await settled.finally(() => open.delete(settled))
  }
  for await (const { event, data } of service.follow('followDagRun', { params })) {
    const nodes = event === 'state' ? nodesOf(data as RunDetails) : event === 'step' ? [data as RunNode] : []
    for (const node of nodes) {
      const past: PastStep = { path: [node.step.name], node, name, dagRunId, child: undefined }
      if (node.startedAt === '' || started.has(node.step.name)) continue
      if (isOver(node)) {
        started.set(node.step.name, Promise.resolve())
        await showStep(service, past, view, output)
      } else {
        followed.add(node.step.name)
        started.set(node.step.name, follow(past))
      }
    }
  }
  await Promise.all(started.values())
  await showRest(service, params, { view, followed }, output)
}

const isOver = ({ status }: RunNode): boolean => {
  const word = stepStatuses[status]
  return word === undefined || isFinalStep(word)
}

async function followStream(
  service: Service,
  { path, node, name, dagRunId }: PastStep,
  stream: 'stdout' | 'stderr',
  output: Output,
): Promise<void> {
  const print = linePrinter(output, path)
  const params = { name, dagRunId, stepName: node.step.name }
  for await (const { event, data } of service.follow('followStepLog', { params, query: { stream } })) {
    if (event === 'lines') for (const line of (data as { lines: string[] }).lines) print(line, stream)
    if (event === 'part') print((data as { text: string }).text, stream)
  }
}

/** Prints what is known only at the end: failures of followed steps, and logs of child runs. */
async function showRest(
  service: Service,
  params: { readonly name: string; readonly dagRunId: string },
  { view, followed }: { readonly view: StepView; readonly followed: ReadonlySet<string> },
  output: Output,
): Promise<void> {
  const { dagRunDetails: run } = await service.ask('getDagRun', { params })
  for await (const past of pastSteps(service, { root: run, run })) {
    if (past.child !== undefined) await showStep(service, past, view, output)
    else if (followed.has(past.node.step.name)) showFailure(past, output)
  }
}
