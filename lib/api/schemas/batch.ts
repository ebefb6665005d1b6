import * as v from 'valibot'
import { errorCodes } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { EnqueueBody } from './bodies.ts'
import { FoundDagPath, RunPath } from './names.ts'

/** Calls that do the same to several runs or DAGs. */

const rule = `must name 1 to ${limits.batchItemsMax}`

/** Nothing is named twice: the second would only fail. */
const several = <Schema extends v.GenericSchema>(item: Schema, what: string) =>
  v.pipe(
    v.array(item, 'must be a list'),
    v.minLength(1, rule),
    v.maxLength(limits.batchItemsMax, rule),
    v.check(
      (items) => new Set(items.map((one) => JSON.stringify(one))).size === items.length,
      'must not contain duplicates',
    ),
    v.description(`${what}, at most ${limits.batchItemsMax}, without duplicates`),
  )

export const RunBatchBody = v.object({
  action: v.pipe(
    v.picklist(['stop', 'retry', 'dequeue'], 'must be stop, retry or dequeue'),
    v.description('`stop` also takes queued runs from their queues'),
  ),
  runs: several(RunPath, 'Runs'),
})

const { dagRunId: _one, ...startEntries } = EnqueueBody.entries

export const DagBatchBody = v.object({
  action: v.pipe(
    v.picklist(['start', 'enqueue', 'suspend', 'resume'], 'must be start, enqueue, suspend or resume'),
    v.description('`params` and `singleton` are for `start` and `enqueue`, `queue` for `enqueue`'),
  ),
  files: several(FoundDagPath.entries.fileName, 'Names of DAG files'),
  ...startEntries,
})

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const outcomeEntries = {
  status: v.pipe(v.number(), v.integer(), v.description('HTTP status that a single call for it would get')),
  code: v.exactOptional(v.picklist(errorCodes)),
  message: v.exactOptional(v.pipe(v.string(), v.description('Why it failed'))),
}
const counts = { done: count, failed: count }

export const RunBatchAnswer = v.object({
  results: v.pipe(
    v.array(v.object({ ...RunPath.entries, ...outcomeEntries })),
    v.description('In the order of `runs`'),
  ),
  ...counts,
})

export const DagBatchAnswer = v.object({
  results: v.pipe(
    v.array(
      v.object({
        fileName: v.string(),
        dagRunId: v.exactOptional(v.pipe(v.string(), v.description('The run that was created'))),
        ...outcomeEntries,
      }),
    ),
    v.description('In the order of `files`'),
  ),
  ...counts,
})
