import type { InferOutput } from 'valibot'
import { ServiceError } from '#lib/core/errors.ts'
import { getDag, type StoredDag } from '#lib/dags/get-dag.ts'
import type { Database } from '#lib/db/client.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'
import { previewSchedule } from '#lib/schedules/read/preview-schedule.ts'
import { presentPreview } from '../present/schedule.ts'
import { timestamp } from '../present/timestamp.ts'
import type { PreviewAnswer, PreviewBody } from '../schemas/schedule.ts'
import type { Services } from '../services.ts'

const dayMs = 86_400_000
const daysDefault = 14

/** Compares the schedule of a spec with that of the DAG stored under its name. A faulty spec has no fires. */
export async function answerPreview(
  { db, now, defaults }: Pick<Services, 'db' | 'now' | 'defaults'>,
  { spec, name = '', days = daysDefault }: InferOutput<typeof PreviewBody>,
): Promise<InferOutput<typeof PreviewAnswer>> {
  const { zone, ...base } = await defaults()
  const { dag, problems } = readSpec(spec, { ...base, fileName: name || 'previewed-dag' })
  const stored = name === '' ? undefined : await storedDag(db, name)
  const fromMs = now()
  const span = { fromMs, untilMs: fromMs + days * dayMs }
  const isValid = problems.length === 0
  const preview = isValid
    ? await previewSchedule(db, dag.schedule, { ...span, zone, fileName: stored?.fileName })
    : { added: [], removed: [], kept: 0, collisions: [] }
  return {
    valid: isValid,
    errors: problems.map(formatProblem),
    isNew: stored === undefined,
    suspended: stored?.suspended ?? false,
    from: timestamp(span.fromMs),
    to: timestamp(span.untilMs),
    ...presentPreview(preview),
  }
}

async function storedDag(db: Database, fileName: string): Promise<StoredDag | undefined> {
  try {
    return await getDag(db, fileName)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}
