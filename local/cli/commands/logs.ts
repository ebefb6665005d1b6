import type { Schemas } from '#lib/client/api-types.gen.ts'
import { UsageError, wholeNumber } from '../command.ts'
import type { Output } from '../output.ts'
import { childOption, findRun } from '../runs.ts'
import { defineServiceCommand, type Service } from '../service.ts'

const windowLines = 10_000

interface Wanted {
  readonly name: string
  readonly dagRunId: string
  /** Undefined: the log of the run itself, or of its step. */
  readonly child: string | undefined
  /** Undefined: the log of the run as a whole. */
  readonly step: string | undefined
  readonly stream: 'stdout' | 'stderr'
}

export const logs = defineServiceCommand({
  name: 'logs',
  summary: 'Print the log of a run, or what a step printed',
  usage: ['DAG [RUN]'],
  details: 'RUN is an id, or latest, which it is when absent.',
  options: {
    step: { value: 'STEP', short: 's', about: 'the output of this step, or of a handler (onExit …)' },
    child: childOption,
    stderr: { about: 'its standard error instead of its standard output' },
    follow: { short: 'f', about: 'go on until the run or the step ends' },
    tail: { value: 'COUNT', about: 'only the last lines' },
  },
  async run({ words: [dag = '', run = 'latest'], options, output }, service) {
    const { step, child, stderr, follow, tail } = options
    if (stderr && step === undefined) throw new UsageError('--stderr goes with --step')
    if (follow && child !== undefined) throw new UsageError('--follow and --child do not go together')
    if (follow && tail !== undefined) throw new UsageError('--follow and --tail do not go together')
    const last = tail === undefined ? undefined : wholeNumber('tail', tail, { from: 1, to: windowLines })
    const { name, dagRunId } = await findRun(service, dag, run)
    const wanted: Wanted = { name, dagRunId, child, step, stream: stderr ? 'stderr' : 'stdout' }
    if (follow) return await followLog(service, wanted, output)
    for (let offset = 1; ;) {
      const chunk = await readLog(
        service,
        wanted,
        last === undefined ? { offset, limit: windowLines } : { tail: last },
      )
      if (chunk.lineCount > 0) showLines(output, chunk.content.split('\n'))
      if (last !== undefined || !chunk.hasMore || chunk.lineCount === 0) return
      offset += chunk.lineCount
    }
  },
})

function readLog(
  service: Service,
  { name, dagRunId, child, step, stream }: Wanted,
  window: { readonly offset?: number; readonly limit?: number; readonly tail?: number },
): Promise<Schemas['LogChunk']> {
  const run = { name, dagRunId }
  const query = { ...window, stream }
  if (child !== undefined) {
    const params = { ...run, childDAGRunId: child }
    if (step === undefined) return service.ask('getChildRunLog', { params, query: window })
    return service.ask('getChildStepLog', { params: { ...params, stepName: step }, query })
  }
  if (step === undefined) return service.ask('getDagRunLog', { params: run, query: window })
  return service.ask('getStepLog', { params: { ...run, stepName: step }, query })
}

async function followLog(service: Service, wanted: Wanted, output: Output): Promise<void> {
  const { name, dagRunId, step, stream } = wanted
  const events =
    step === undefined
      ? service.follow('followDagRunLog', { params: { name, dagRunId } })
      : service.follow('followStepLog', { params: { name, dagRunId, stepName: step }, query: { stream } })
  for await (const { event, data } of events) {
    if (event === 'lines') showLines(output, (data as { lines: string[] }).lines)
    if (event === 'part') {
      const { text } = data as { text: string }
      if (output.isJson) output.show({ part: text }, '')
      else output.write(text)
    }
  }
}

function showLines(output: Output, lines: readonly string[]): void {
  if (output.isJson) for (const line of lines) output.show({ line }, line)
  else output.write(`${lines.join('\n')}\n`)
}
