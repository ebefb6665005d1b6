import type { Condition } from '#lib/definition/definition.ts'
import { conditionMatches } from '#lib/definition/values/condition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import type { Scope } from '#lib/definition/values/scope.ts'
import { shellText } from '#lib/definition/values/shell-text.ts'
import type { ConditionResult } from '#lib/engine/progress.ts'
import { runCommand, substitutionAt, type CommandPlace } from './run-command.ts'

/**
 * Evaluates conditions in their order, all of them (spec/behaviour.md 2.9): with `expected` a text is compared,
 * without it a command decides by its exit status. What cannot be evaluated is not met, and says why.
 */
export async function checkConditions(
  conditions: readonly Condition[],
  scope: Scope,
  place: CommandPlace,
): Promise<ConditionResult[]> {
  const results: ConditionResult[] = []
  for (const condition of conditions) results.push(await checkCondition(condition, scope, place))
  return results
}

/** Evaluates one condition; see {@link checkConditions}. */
export async function checkCondition(
  condition: Condition,
  scope: Scope,
  place: CommandPlace,
): Promise<ConditionResult> {
  try {
    const found = await look(condition, scope, place)
    if (found.holds !== condition.negate) return { met: true, error: '' }
    return { met: false, error: condition.negate ? `${found.text} (negated)` : found.text }
  } catch (error) {
    return { met: false, error: error instanceof Error ? error.message : String(error) }
  }
}

async function look(
  { condition, expected }: Condition,
  scope: Scope,
  place: CommandPlace,
): Promise<{ holds: boolean; text: string }> {
  if (expected === undefined) {
    const program = shellText(condition, scope)
    const result = await runCommand(program.text, { ...place, env: { ...place.env, ...program.env } })
    return { holds: result.exitCode === 0, text: `condition was not met: ${result.error || 'exit status 0'}` }
  }
  const actual = await expand(condition, scope, substitutionAt(place))
  const holds = conditionMatches(actual, expected)
  return { holds, text: `condition was not met: expected ${show(expected)}, got ${show(actual)}` }
}

function show(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
