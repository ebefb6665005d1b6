import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { FileName, OptionalRunId } from '../schemas/names.ts'

export const LegacyPath = v.object({ name: FileName })

export const legacyTabs = ['status', 'spec', 'history', 'log', 'scheduler-log'] as const

export const LegacyTabQuery = v.object({
  tab: v.optional(v.picklist(legacyTabs, `must be one of ${legacyTabs.join(', ')}`), 'status'),
  file: v.exactOptional(OptionalRunId),
  step: v.exactOptional(v.pipe(v.string(), v.maxLength(256, 'must be at most 256 characters long'))),
})

const actions = [
  'start',
  'stop',
  'retry',
  'suspend',
  'mark-success',
  'mark-failed',
  'save',
  'rename',
] as const

const text = v.pipe(v.string('must be a text'), v.maxLength(limits.specBytesMax, 'is too long'))

export const LegacyActionBody = v.object({
  action: v.picklist(actions, `must be one of ${actions.join(', ')}`),
  value: v.optional(text, ''),
  requestId: v.exactOptional(OptionalRunId),
  step: v.exactOptional(text),
  params: v.exactOptional(text),
})

export type LegacyActionInput = v.InferOutput<typeof LegacyActionBody>

/** Answers of /api/v1 are those of the current version with other keys. Only tests check their shape. */
export const LegacyAnswer = v.record(v.string(), v.unknown())
