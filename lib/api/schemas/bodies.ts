import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { NewFileName, OptionalFileName, OptionalQueueName, OptionalRunId } from './names.ts'
import { StepStatusCode } from './numbers.ts'

/** Request bodies. Fields that are not listed here are ignored and never stored. */

const Spec = v.pipe(
  v.string('must be a text'),
  v.check(
    (text) => Buffer.byteLength(text) <= limits.specBytesMax,
    `must be at most ${limits.specBytesMax} bytes long`,
  ),
  v.description('A DAG in YAML'),
)

/** Clients send an object or an array as it is, too. It counts as its JSON text. */
const Params = v.pipe(
  v.union(
    [v.string(), v.array(v.unknown()), v.record(v.string(), v.unknown())],
    'must be a text, or an object or array of values',
  ),
  v.transform((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  v.string(),
  v.check(
    (text) => Buffer.byteLength(text) <= limits.paramsBytesMax,
    `must be at most ${limits.paramsBytesMax} bytes long`,
  ),
  v.description('A JSON object or array as text, or `NAME=value "other"`'),
)

/** Forms send an empty text when it is left out. */
const Message = v.exactOptional(
  v.pipe(
    v.string('must be a text'),
    v.maxLength(limits.messageLengthMax, `must be at most ${limits.messageLengthMax} characters long`),
    v.description('Reason for the change, shown in the list of versions'),
  ),
)

export const CreateDagBody = v.object({
  name: NewFileName,
  spec: v.exactOptional(Spec),
  message: Message,
})
export const UpdateSpecBody = v.object({ spec: Spec, message: Message })
export const RestoreBody = v.object({ message: Message })
export const ValidateBody = v.object({
  spec: Spec,
  name: v.exactOptional(OptionalFileName),
  params: v.exactOptional(Params),
})
export const RenameBody = v.object({ newFileName: NewFileName })
export const SuspendBody = v.object({ suspend: v.optional(v.boolean('must be true or false'), false) })

const startEntries = {
  params: v.exactOptional(Params),
  dagRunId: v.exactOptional(OptionalRunId),
  singleton: v.optional(v.boolean('must be true or false'), false),
}

export const StartBody = v.object(startEntries)
export const EnqueueBody = v.object({ ...startEntries, queue: v.exactOptional(OptionalQueueName) })

const inlineEntries = { spec: Spec, name: v.exactOptional(OptionalFileName) }
export const InlineStartBody = v.object({ ...startEntries, ...inlineEntries })
export const InlineEnqueueBody = v.object({
  ...startEntries,
  ...inlineEntries,
  queue: v.exactOptional(OptionalQueueName),
})

export const RetryBody = v.object({
  dagRunId: v.exactOptional(OptionalRunId),
  stepName: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(256, 'must be at most 256 characters long'),
      v.description('The only step to run again; steps that depend on it keep their results'),
    ),
  ),
})

export const RescheduleBody = v.object({
  dagRunId: v.exactOptional(OptionalRunId),
  dagName: v.exactOptional(OptionalFileName),
  singleton: startEntries.singleton,
})
export const StepStatusBody = v.object({ status: StepStatusCode })
