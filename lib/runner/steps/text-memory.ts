import { limits } from '#lib/core/limits.ts'
import type { Step } from '#lib/definition/definition.ts'
import { KeyedSemaphore } from '#lib/executors/keyed-semaphore.ts'
import type { PreparedStep } from './step-context.ts'

/** Attempts of a run whose texts are being expanded, and those that run with large texts. */
const expanding = new KeyedSemaphore(limits.preparedPerRunMax)
const large = new KeyedSemaphore(limits.largeStepsPerRunMax)

/** Memory of the runner for the texts of one attempt. Without this limit, parallel steps could use up all of it. */
export interface TextMemory {
  /** To be called after expansion: waits while too many attempts of the run hold large texts. */
  readonly expanded: (step: Step, prepared: PreparedStep) => Promise<void>
  /** To be called when the texts are no longer needed. Idempotent. */
  readonly release: () => void
}

/** Waits until another attempt of the run may expand its texts. */
export async function reserveTextMemory(runKey: string, signal: AbortSignal): Promise<TextMemory> {
  let current: (() => void) | undefined = await expanding.acquire(runKey, signal)
  const release = (): void => {
    current?.()
    current = undefined
  }
  return {
    expanded: async (step, prepared) => {
      const next = isLarge(step, prepared) ? await large.acquire(runKey, signal) : undefined
      release()
      current = next
    },
    release,
  }
}

/** Counts only texts of the step: other variables of the run share one copy. */
function isLarge(step: Step, { commands, script, config, env }: PreparedStep): boolean {
  const own = step.env.map(({ name }) => env[name])
  return lengthOf([commands, script, config, own]) > limits.largeStepLength
}

/** Total characters of all texts in a value, at any depth. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + lengthOf(inner), 0)
}
