import type { InferOutput, ObjectSchema } from 'valibot'
import { badRequest } from '#lib/core/errors.ts'
import { runHistogram } from '#lib/runs/counts/run-histogram.ts'
import { runFilterOf } from '#lib/api/requests/run-filter-of.ts'
import type { HistogramRangeEntries, RunChoiceEntries, RunDagName } from '../schemas/run-filter.ts'
import type { Histogram } from '../schemas/run.ts'
import type { Services } from '../services.ts'
import { presentBuckets } from './buckets.ts'

type Entries = typeof HistogramRangeEntries & typeof RunChoiceEntries & { name: typeof RunDagName }

const day = 86_400
const bucketsDefault = 96

/** Of the last 24 hours, unless the query names another range. */
export async function presentHistogram(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { from, to, buckets = bucketsDefault, ...choice }: InferOutput<ObjectSchema<Entries, undefined>>,
): Promise<InferOutput<typeof Histogram>> {
  const end = to ?? Math.ceil(now() / 1000)
  const range = { from: from ?? Math.max(0, end - day), to: end, buckets }
  if (range.from >= range.to) throw badRequest(`from: must be before ${to === undefined ? 'now' : 'to'}`)
  const found = await runHistogram(db, runFilterOf(choice), range)
  return presentBuckets(found)
}
