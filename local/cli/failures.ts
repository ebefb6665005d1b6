import { limits } from '#lib/core/limits.ts'
import { readLog } from './log-source.ts'
import { plain, type Output } from './output.ts'
import { pastSteps, type PastStep } from './past-steps.ts'
import { errorLine, took, type RunDetails } from './runs.ts'
import type { Service } from './service.ts'
import { streamsOf } from './show-steps.ts'

/** A failed step of a run, or of a run that it started. */
export interface Failure {
  readonly path: readonly string[]
  readonly error: string
  readonly took: string
  /** The last lines of standard error, or of standard output when that is empty. */
  readonly lines: readonly string[]
}

const failuresMax = 20
const linesMax = 10

/** The failed steps of a run and its child runs, at most 20, each with its last lines of output. */
export async function readFailures(service: Service, run: RunDetails): Promise<Failure[]> {
  const failures: Failure[] = []
  for await (const past of pastSteps(service, { root: run, run, failedOnly: true })) {
    if (failures.length >= failuresMax) break
    const { path, node } = past
    failures.push({ path, error: node.error, took: took(node), lines: await lastLines(service, past) })
  }
  return failures
}

async function lastLines(service: Service, past: PastStep): Promise<readonly string[]> {
  const { name, dagRunId, child, node } = past
  for (const stream of streamsOf(past, ['stderr', 'stdout'])) {
    const source = { name, dagRunId, child, step: node.step.name, stream }
    for await (const { lines } of readLog(service, source, Math.min(linesMax, limits.logLinesMax))) {
      if (lines.some((line) => line.trim() !== '')) return lines
    }
  }
  return []
}

/** Formats failed steps as readable lines. */
export function failureLines(failures: readonly Failure[], output: Output): string[] {
  return failures.flatMap(({ path, error, took, lines }) => [
    `${output.style('red', `✗ ${plain(path.join(' > '))}`)} failed after ${took}: ${errorLine(error)}`,
    ...lines.map((line) => `    ${plain(line)}`),
  ])
}
