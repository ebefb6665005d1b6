import { durationText } from '#lib/core/duration-text.ts'
import { lineChanges } from './line-changes.ts'
import { nodesOf, took, type RunDetails } from './runs.ts'

/** A property that differs between two runs; empty text for the run that lacks it. */
export interface Difference {
  readonly what: string
  readonly before: string
  readonly after: string
}

/** The differences between two runs: run fields first, then statuses, durations and outputs of steps. */
export function differencesOf(a: RunDetails, b: RunDetails): readonly Difference[] {
  const facts: Difference[] = [
    { what: 'status', before: a.statusLabel, after: b.statusLabel },
    { what: 'took', before: took(a), after: took(b) },
    { what: 'params', before: a.params, after: b.params },
    { what: 'error', before: a.error, after: b.error },
  ]
  const names = [...new Set([...nodesOf(b), ...nodesOf(a)].map(({ step }) => step.name))]
  const steps = names.flatMap((name) => {
    const [before, after] = [a, b].map((run) => nodesOf(run).find(({ step }) => step.name === name))
    const outputs = new Set([...Object.keys(after?.outputs ?? {}), ...Object.keys(before?.outputs ?? {})])
    return [
      { what: `step ${name}`, before: stepText(before), after: stepText(after) },
      ...[...outputs].map((output) => ({
        what: `output ${name}.${output}`,
        before: before?.outputs?.[output] ?? '',
        after: after?.outputs?.[output] ?? '',
      })),
    ]
  })
  return [...facts, ...steps].filter(({ before, after }) => before !== after)
}

type Node = ReturnType<typeof nodesOf>[number]

function stepText(node: Node | undefined): string {
  if (node === undefined) return ''
  const { statusLabel, durationMs } = node
  return durationMs === undefined ? statusLabel : `${statusLabel} ${durationText(durationMs)}`
}

/** The removed and added lines of a spec; undefined when the texts differ too much to compare. */
export function specChanges(before: string, after: string): readonly string[] | undefined {
  return lineChanges(['', before], ['', after], 0)?.hunks.flatMap(({ oldStart, newStart, lines }) => [
    `@@ line ${oldStart} of the first, ${newStart} of the second @@`,
    ...lines.filter((line) => !line.startsWith('\\')),
  ])
}
