import { limits } from '#lib/core/limits.ts'
import type { RetryPolicy } from '#lib/definition/definition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'
import type { Plan, PlannedStep } from '#lib/engine/plan.ts'

/**
 * Evaluates retry policies that refer to variables. Params and environment of a run never change, so every owner of the
 * run gets the same numbers.
 * @returns `plan` itself when it has none
 * @throws Error that names the step, the field and its value
 */
export async function resolvePolicies(plan: Plan, scope: Scope): Promise<Plan> {
  if (!plan.steps.some(({ step }) => step.retryPolicy?.written !== undefined)) return plan
  const steps = await Promise.all(plan.steps.map((planned) => resolveStep(planned, scope)))
  return { ...plan, steps }
}

async function resolveStep(planned: PlannedStep, scope: Scope): Promise<PlannedStep> {
  const { step } = planned
  const policy = step.retryPolicy
  if (policy?.written === undefined) return planned
  const { written, ...numbers } = policy
  const readNumber = async (
    field: keyof typeof written,
    pattern: RegExp,
    wanted: string,
  ): Promise<number> => {
    const text = (await expand(written[field] ?? String(policy[field]), scope, noCommand)).trim()
    if (pattern.test(text)) return Number(text)
    const shown = JSON.stringify(text.slice(0, 60))
    throw new Error(`step "${step.name}": retryPolicy.${field} must be ${wanted}, is ${shown}`)
  }
  const retryPolicy: RetryPolicy = {
    ...numbers,
    limit: await readNumber('limit', /^\d{1,9}$/, 'a whole number from 0 on'),
    intervalSec: Math.min(
      await readNumber('intervalSec', /^\d{1,9}(?:\.\d{1,9})?$/, 'a number of seconds from 0 on'),
      limits.stepWaitMsMax / 1_000,
    ),
  }
  return { ...planned, step: { ...step, retryPolicy } }
}

/** The schema refuses backticks in a policy; those in a value are data. */
const noCommand: CommandRunner = () => Promise.resolve('')
