import { readLog, type LogSource } from './log-source.ts'
import type { Output } from './output.ts'
import { plain } from './output.ts'
import { hasFailed, type PastStep } from './past-steps.ts'
import { errorLine, took } from './runs.ts'
import type { Service } from './service.ts'

export interface StepView {
  readonly streams: readonly LogSource['stream'][]
  /** Number of lines to show from the end of each stream; undefined for all. */
  readonly last?: number | undefined
  readonly attempt?: number | undefined
  /** Whether `attempt` is the latest; only then do the steps' results belong to it. */
  readonly isLatest?: boolean
}

/**
 * The streams of a step to show. There is one when standard error goes to the log of standard output. There is none for
 * a step that started runs: it prints their results as JSON, which would drown their own output.
 */
export function streamsOf({ node }: PastStep, wanted: StepView['streams']): StepView['streams'] {
  if (node.children.length > 0) return []
  return node.stdout === node.stderr ? ['stdout'] : wanted
}

/** Prints the output of a step, each line prefixed with its name. A failed step is marked and followed by its error. */
export async function showStep(
  service: Service,
  past: PastStep,
  { streams, last, attempt, isLatest = attempt === undefined }: StepView,
  output: Output,
): Promise<void> {
  const { node, path, name, dagRunId, child } = past
  const step = node.step.name
  const isFailed = isLatest && hasFailed(node)
  const print = linePrinter(output, path, { isFailed, attempt })
  for (const stream of streamsOf(past, streams)) {
    for await (const { lines, left } of readLog(
      service,
      { name, dagRunId, child, step, stream, attempt },
      last,
    )) {
      if (left > 0 && !output.isJson) print(output.style('dim', `… ${left} earlier lines`), stream)
      for (const line of lines) print(line, stream)
    }
  }
  if (isFailed) showFailure(past, output)
}

/** Prints the error of a failed step. Nothing with `--json`, where `status` has the errors. */
export function showFailure({ node, path }: PastStep, output: Output): void {
  if (!hasFailed(node) || output.isJson) return
  const error = node.error === '' ? '' : `: ${errorLine(node.error)}`
  linePrinter(output, path, { isFailed: true })(
    output.style('red', `failed after ${took(node)}${error}`),
    'stdout',
  )
}

/** A function that prints lines of a step: prefixed with its name, or as one line of JSON each. */
export function linePrinter(
  output: Output,
  path: readonly string[],
  { isFailed = false, attempt }: { readonly isFailed?: boolean; readonly attempt?: number | undefined } = {},
): (line: string, stream: LogSource['stream']) => void {
  const label = plain(path.join(' > '))
  const marked = isFailed ? output.style('red', `✗ ${label}`) : output.style('cyan', label)
  return (line, stream) => {
    const bar = stream === 'stderr' ? output.style('yellow', '|') : '|'
    const about = { ...(attempt !== undefined && { attempt }), step: path.join(' > ') }
    output.show({ ...about, stream, line }, `${marked} ${bar} ${line}`.trimEnd())
  }
}
