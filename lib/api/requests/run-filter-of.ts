import type { InferOutput, ObjectSchema } from 'valibot'
import type { RunFilter } from '#lib/runs/read/run-filter.ts'
import { triggersOf } from '#lib/api/present/trigger-type.ts'
import { statusCodes } from '#lib/api/schemas/numbers.ts'
import type { RunChoiceEntries, RunDagName } from '#lib/api/schemas/run-filter.ts'

type Asked = InferOutput<ObjectSchema<typeof RunChoiceEntries & { name: typeof RunDagName }, undefined>>

/** The filter that a query asks for. */
export function runFilterOf({ status, trigger, name, tag, group, worker, q, minMs }: Asked): RunFilter {
  return {
    ...(name !== undefined && { dagName: name }),
    ...(status !== undefined && { statuses: statusCodes(status) }),
    ...(trigger !== undefined && { triggers: triggersOf(trigger) }),
    ...(tag !== undefined && { tag }),
    ...(group !== undefined && { group }),
    ...(worker !== undefined && { worker }),
    ...(q !== undefined && { q }),
    ...(minMs !== undefined && { minMs }),
  }
}
