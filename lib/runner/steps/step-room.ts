import { limits } from '#lib/core/limits.ts'
import type { Step } from '#lib/definition/definition.ts'
import { KeyedSemaphore } from '#lib/executors/keyed-semaphore.ts'
import type { PreparedStep } from './step-context.ts'

/** Attempts of a run whose texts are being expanded, and those that run with large texts. */
const preparing = new KeyedSemaphore(limits.preparedPerRunMax)
const large = new KeyedSemaphore(limits.largeStepsPerRunMax)

/** Room in the memory of the runner for the texts of one attempt. Otherwise parallel steps could use up all of it. */
export interface StepRoom {
  /** Called when the texts are expanded: waits while too many attempts of the run hold large ones. */
  readonly hold: (step: Step, prepared: PreparedStep) => Promise<void>
  /** Called when the texts are no longer needed. Calling it again does nothing. */
  readonly leave: () => void
}

/** Waits until the texts of another attempt of the run may be expanded. */
export async function enterRoom(runKey: string, signal: AbortSignal): Promise<StepRoom> {
  let giveBack: (() => void) | undefined = await preparing.acquire(runKey, signal)
  const leave = (): void => {
    giveBack?.()
    giveBack = undefined
  }
  return {
    hold: async (step, prepared) => {
      const context = isLarge(step, prepared) ? await large.acquire(runKey, signal) : undefined
      leave()
      giveBack = context
    },
    leave,
  }
}

/** Values of the run that are no text of the step take no room of their own. */
function isLarge(step: Step, { commands, script, config, env }: PreparedStep): boolean {
  const own = step.env.map(({ name }) => env[name])
  return lengthOf([commands, script, config, own]) > limits.largeStepLength
}

/** Characters of all texts of a value. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + lengthOf(inner), 0)
}
