import { messageOf } from '#lib/core/errors.ts'
import type { Condition } from '#lib/definition/definition.ts'
import { conditionMatches } from '#lib/definition/values/condition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import type { ConditionResult } from '#lib/engine/progress.ts'
import { inTurns } from '#lib/executors/in-turns.ts'
import { runProgram } from '../inputs/run-command.ts'
import type { StepScope } from './step-context.ts'

/**
 * Evaluates all conditions, in order. With `expected`, a text is compared; otherwise the exit status of a command
 * decides. A condition that cannot be evaluated is not met, with the error as its reason.
 */
export async function checkConditions(
  conditions: readonly Condition[],
  stepScope: StepScope,
): Promise<ConditionResult[]> {
  const results: ConditionResult[] = []
  for (const condition of conditions) results.push(await checkCondition(condition, stepScope))
  return results
}

/** Evaluates one condition; see {@link checkConditions}. */
export async function checkCondition(condition: Condition, stepScope: StepScope): Promise<ConditionResult> {
  const { mask } = stepScope
  try {
    const found = await evaluate(condition, stepScope)
    if (found.holds !== condition.negate) return { met: true, error: '' }
    return { met: false, error: mask(condition.negate ? `${found.text} (negated)` : found.text) }
  } catch (error) {
    return { met: false, error: mask(messageOf(error)) }
  }
}

async function evaluate(
  { condition, expected }: Condition,
  { scope, context, substitution, references, mask }: StepScope,
): Promise<{ holds: boolean; text: string }> {
  if (expected === undefined) {
    const result = await runProgram(condition, scope, context, references.makeFiles)
    return { holds: result.exitCode === 0, text: `condition was not met: ${result.error || 'exit status 0'}` }
  }
  const actual = await expand(condition, scope, substitution)
  const holds = await inTurns(conditionMatches(actual, expected))
  const got = quoted(mask(actual))
  return { holds, text: `condition was not met: expected ${quoted(mask(expected))}, got ${got}` }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
