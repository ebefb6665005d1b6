import { limits } from '#lib/core/limits.ts'
import type { LogSource } from './log-source.ts'
import type { Output } from './output.ts'
import type { Service } from './service.ts'

interface MergedLine {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly step: string
  readonly stream: 'stdout' | 'stderr'
  readonly line: number
  readonly text: string
}

interface MergedEnd {
  readonly done: boolean
  readonly next?: string
}

type Source = Omit<LogSource, 'stream'> & { readonly stream: LogSource['stream'] | undefined }

/**
 * Prints the output of all steps in chronological order, each line prefixed with its time and step.
 * @param last number of lines to print from the end; default: all
 */
export async function showMerged(
  service: Service,
  source: Source,
  last: number | undefined,
  output: Output,
): Promise<void> {
  const { attempt, step, stream } = source
  const which = {
    ...(attempt !== undefined && { attempt }),
    ...(step !== undefined && { step }),
    ...(stream !== undefined && { stream }),
  }
  let window: { tail?: number; from?: string; limit?: number } =
    last === undefined ? { limit: limits.mergedLinesMax } : { tail: last }
  for (;;) {
    const text = await new Response(await read(service, source, { ...which, ...window })).text()
    const rows = text.trimEnd().split('\n')
    const end = JSON.parse(rows.pop() ?? '{}') as MergedEnd
    for (const row of rows) {
      const line = JSON.parse(row) as MergedLine
      const at = new Date(line.at).toISOString().replace(/\.\d+/, '')
      output.show(line, `${at} ${line.step} | ${line.text}`)
    }
    if (end.done || end.next === undefined) return
    window = { from: end.next, limit: limits.mergedLinesMax }
  }
}

function read(
  service: Service,
  { name, dagRunId, child }: Source,
  query: object,
): Promise<ReadableStream<Uint8Array>> {
  const params = { name, dagRunId }
  if (child === undefined) return service.ask('getMergedLog', { params, query })
  return service.ask('getMergedChildLog', { params: { ...params, childDAGRunId: child }, query })
}
