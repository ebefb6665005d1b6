import type { StepRow } from './step-rows.ts'
import { hasEnded } from './states.ts'

type Timed = Pick<StepRow, 'name' | 'state' | 'dependsOn' | 'startedAtMs' | 'tookMs'>

/**
 * The critical path: from the last step, or the first that failed, back along the dependency
 * that ended last each time.
 */
export function criticalPath(rows: readonly Timed[]): ReadonlySet<string> {
  const byName = new Map(rows.map((row) => [row.name, row]))
  const path = new Set<string>()
  for (let row = endOfPath(rows); row !== undefined && !path.has(row.name); row = lastOf(row, byName)) {
    path.add(row.name)
  }
  return path
}

const endOf = ({ startedAtMs, tookMs }: Timed): number =>
  startedAtMs === undefined ? -Infinity : startedAtMs + (tookMs ?? Infinity)

const later = (one: Timed | undefined, other: Timed): Timed | undefined => {
  if (other.startedAtMs === undefined) return one
  return one === undefined || endOf(other) > endOf(one) ? other : one
}

function endOfPath(rows: readonly Timed[]): Timed | undefined {
  const failed = rows.filter(({ state, startedAtMs }) => state === 'failed' && startedAtMs !== undefined)
  if (failed.length > 0) return failed.reduce((one, other) => (endOf(other) < endOf(one) ? other : one))
  return rows.reduce(later, undefined)
}

const lastOf = ({ dependsOn }: Timed, byName: ReadonlyMap<string, Timed>): Timed | undefined =>
  dependsOn.flatMap((name) => byName.get(name) ?? []).reduce(later, undefined)

/** The steps that a failure blocked: all that depend on a failed one and have not run. */
export function heldByFailure(rows: readonly Timed[]): ReadonlySet<string> {
  const neededBy = new Map<string, Timed[]>()
  for (const row of rows) {
    for (const name of row.dependsOn) neededBy.set(name, [...(neededBy.get(name) ?? []), row])
  }
  const held = new Set<string>()
  const stack = rows.filter(({ state }) => state === 'failed')
  for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
    for (const next of neededBy.get(row.name) ?? []) {
      const hasRun = next.startedAtMs !== undefined && next.state !== 'skipped'
      if (hasRun || held.has(next.name) || (hasEnded(next.state) && next.state === 'success')) continue
      held.add(next.name)
      stack.push(next)
    }
  }
  return held
}
