import { presentOutline } from './run-outline.ts'
import { presentRun } from './run.ts'

/** How much of its steps is shown of a run. */
export type RunForm = keyof typeof presentIn

export const presentIn = { whole: presentRun, outline: presentOutline } as const
