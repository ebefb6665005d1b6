import { readLog, type LogSource } from './log-source.ts'
import type { Output } from './output.ts'
import { plain } from './output.ts'
import { hasFailed, type PastStep } from './past-steps.ts'
import { errorLine, took } from './runs.ts'
import type { Service } from './service.ts'

export interface StepView {
  readonly streams: readonly LogSource['stream'][]
  /** Only so many lines from the end of each stream. */
  readonly last?: number | undefined
  readonly attempt?: number | undefined
}

/**
 * The streams of a step; one when standard error goes to the log of standard output. A step that started runs prints
 * their results as JSON, which would hide what they printed: it has none here.
 */
export function streamsOf({ node }: PastStep, wanted: StepView['streams']): StepView['streams'] {
  if (node.children.length > 0) return []
  return node.stdout === node.stderr ? ['stdout'] : wanted
}

/** Prints what a step printed, each line behind its name. A failed step is marked, and followed by its error. */
export async function showStep(
  service: Service,
  past: PastStep,
  { streams, last, attempt }: StepView,
  output: Output,
): Promise<void> {
  const { node, path, name, dagRunId, child } = past
  const step = node.step.name
  // The result is that of the latest attempt.
  const isFailed = attempt === undefined && hasFailed(node)
  const print = linePrinter(output, path, isFailed)
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

/** Says why a step failed, if it did. With `--json`, status has the errors. */
export function showFailure({ node, path }: PastStep, output: Output): void {
  if (!hasFailed(node) || output.isJson) return
  const error = node.error === '' ? '' : `: ${errorLine(node.error)}`
  linePrinter(output, path, true)(output.style('red', `failed after ${took(node)}${error}`), 'stdout')
}

/** Prints lines of a step: with its name before them, or as one line of JSON each. */
export function linePrinter(
  output: Output,
  path: readonly string[],
  isFailed: boolean,
): (line: string, stream: LogSource['stream']) => void {
  const label = plain(path.join(' > '))
  const marked = isFailed ? output.style('red', `✗ ${label}`) : output.style('cyan', label)
  return (line, stream) => {
    const bar = stream === 'stderr' ? output.style('yellow', '|') : '|'
    output.show({ step: path.join(' > '), stream, line }, `${marked} ${bar} ${line}`.trimEnd())
  }
}
