import { nearestName } from '#lib/core/nearest-name.ts'
import type { Input } from './command.ts'
import { withDag } from './find-dag.ts'
import { findRun } from './find-run.ts'
import { paramsOfWords } from './params.ts'
import { Refusal, type Service } from './service.ts'
import { waitForRun, waitOption } from './wait-for-run.ts'

export const beginOptions = {
  'run-id': { value: 'ID', about: 'id of the run (default: the service creates one)' },
  singleton: { about: 'refuse if a run of the DAG is active' },
  ...waitOption,
} as const

/** Starts or enqueues a run by the options of the command and, with `--wait`, waits for its end. */
export async function beginRun(
  service: Service,
  { words, options, rest, output }: Input<typeof beginOptions>,
  begin: { readonly operation: 'startDag' | 'enqueueDag'; readonly queue?: string | undefined },
): Promise<number> {
  const [dag = ''] = words
  const params = paramsOfWords(rest)
  const body = {
    ...(params !== undefined && { params }),
    ...(options['run-id'] !== undefined && { dagRunId: options['run-id'] }),
    ...(begin.queue !== undefined && { queue: begin.queue }),
    ...(options.singleton && { singleton: true }),
  }
  if (begin.queue !== undefined) await checkQueue(service, dag, begin.queue)
  const { fileName, answer } = await withDag(service, dag, async (fileName) => ({
    fileName,
    answer: await service.ask(begin.operation, { params: { fileName }, body }),
  }))
  if (options.wait)
    return await waitForRun(service, await findRun(service, [fileName, answer.dagRunId]), output)
  output.show(answer, answer.dagRunId)
  return 0
}

/**
 * Refuses an unknown queue, since a misspelt one would have no limit. Skipped when the caller may not list queues.
 * @throws Error with the nearest name
 */
async function checkQueue(service: Service, dag: string, queue: string): Promise<void> {
  if (queue === dag) return
  const queues = await service.ask('listQueues', { query: { summary: 'true' } }).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 403) return undefined
    throw error
  })
  if (queues === undefined) return
  const known = queues.queues.map(({ name }) => name)
  if (known.includes(queue)) return
  const nearest = nearestName(queue, known)
  const guess = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new Error(`queue ${JSON.stringify(queue)} not found (MILLRACE_QUEUES defines queues)${guess}`)
}
