import type { Input } from './command.ts'
import { paramsOfWords } from './params.ts'
import { findRun } from './runs.ts'
import type { Service } from './service.ts'
import { waitForRun, waitOption } from './wait-for-run.ts'

export const beginOptions = {
  'run-id': { value: 'ID', about: 'id of the run; made by the service when absent' },
  singleton: { about: 'refuse when a run of the DAG is under way' },
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
  const answer = await service.ask(begin.operation, { params: { fileName: dag }, body })
  if (options.wait) return await waitForRun(service, await findRun(service, dag, answer.dagRunId), output)
  output.show(answer, answer.dagRunId)
  return 0
}
