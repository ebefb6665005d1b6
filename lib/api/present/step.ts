import type { InferOutput } from 'valibot'
import type { Condition, ParallelCall, Step } from '#lib/definition/definition.ts'
import type { ConditionResult } from '#lib/engine/progress.ts'
import type { Precondition as PreconditionSchema, Step as StepSchema } from '../schemas/step.ts'

type WireStep = InferOutput<typeof StepSchema>
type WirePrecondition = InferOutput<typeof PreconditionSchema>

/** A step as its DAG defines it. Values are shown as written, never put in: they may be secrets. */
export function presentStep(step: Step): WireStep {
  const commands = step.commands.map(presentCommand)
  const child = step.child
  const executorConfig =
    step.executor.type === 'shell' ? {} : { executorConfig: { type: step.executor.type } }
  return {
    name: step.name,
    id: step.id ?? '',
    description: step.description,
    dir: step.workingDir ?? '',
    command: commands[0]?.command ?? '',
    args: commands[0]?.args ?? [],
    ...(commands.length > 0 && { commands }),
    ...(step.script !== undefined && { script: step.script }),
    stdout: step.stdout ?? '',
    stderr: step.stderr ?? '',
    output: step.output?.name ?? '',
    preconditions: presentPreconditions(step.preconditions, []),
    depends: [...step.dependsOn],
    repeatPolicy: presentRepeat(step),
    mailOnError: step.mailOnError,
    run: child?.dag ?? '',
    ...(child !== undefined && { call: child.dag }),
    ...(child?.parallel !== undefined && { parallel: presentParallel(child.parallel) }),
    params: child?.params ?? '',
    ...executorConfig,
    ...(step.timeoutSec > 0 && { timeoutSec: step.timeoutSec }),
  }
}

function presentParallel({ items, maxConcurrent }: ParallelCall): NonNullable<WireStep['parallel']> {
  return { items: typeof items === 'string' ? items : [...items], maxConcurrent }
}

function presentRepeat({ repeatPolicy }: Step): WireStep['repeatPolicy'] {
  return {
    repeat: repeatPolicy !== undefined,
    interval: repeatPolicy?.intervalSec ?? 0,
    ...(repeatPolicy?.limit !== undefined && { limit: repeatPolicy.limit }),
  }
}

/** Splits a line into its program and its arguments for display; a text of several lines stays whole. */
function presentCommand(line: string): { command: string; args: string[] } {
  if (line.trim().includes('\n')) return { command: line, args: [] }
  const words = line.match(/(?:"(?:\\[^]?|[^"\\])*(?:"|$)|'[^']*(?:'|$)|\S)+/g) ?? []
  const [command = '', ...args] = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
  return { command, args }
}

/** @param results what came of them, in the same order; fewer when some were not evaluated */
export function presentPreconditions(
  conditions: readonly Condition[],
  results: readonly ConditionResult[],
): WirePrecondition[] {
  return conditions.map((condition, index) => ({
    condition: condition.condition,
    expected: condition.expected ?? '',
    ...(condition.negate && { negate: true }),
    error: results[index]?.error ?? '',
  }))
}
