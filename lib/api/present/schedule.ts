import type { InferOutput } from 'valibot'
import { badRequest } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { runStatusCode, statusLabel, type LabelSet } from '#lib/core/status.ts'
import { findDag } from '#lib/dags/get-dag.ts'
import type { ChangedFire } from '#lib/schedules/read/diff-fires.ts'
import type { SchedulePreview } from '#lib/schedules/read/preview-schedule.ts'
import { readSchedule, type Fire } from '#lib/schedules/read/read-schedule.ts'
import type { PreviewAnswer, ScheduleAnswer, ScheduleQuery } from '../schemas/schedule.ts'
import type { Services } from '../services.ts'
import { timestamp } from './timestamp.ts'

const dayMs = 86_400_000
const daysDefault = 7

/** What schedules do from now on, for a week, unless the query names another range. */
export async function presentSchedule(
  { db, now, labels, defaults }: Pick<Services, 'db' | 'now' | 'labels' | 'defaults'>,
  { dag, from, to, limit = limits.scheduleFiresMax, zone }: InferOutput<typeof ScheduleQuery>,
): Promise<InferOutput<typeof ScheduleAnswer>> {
  const fileName = dag === undefined ? undefined : (await findDag(db, dag)).fileName
  const nowMs = now()
  const fromMs = from === undefined ? nowMs : from * 1000
  const untilMs = to === undefined ? fromMs + daysDefault * dayMs : to * 1000
  checkRange(
    { fromMs, untilMs },
    fileName === undefined ? limits.scheduleDaysMax : limits.scheduleDaysOfDagMax,
  )
  const { zone: defaultZone } = await defaults()
  const asked = { fromMs, untilMs, nowMs, limit, fileName, defaultZone, zone }
  const { fires, started, coming, hours, clockChanges, entries, ...shown } = await readSchedule(db, asked)
  return {
    from: timestamp(fromMs),
    to: timestamp(untilMs),
    now: timestamp(nowMs),
    zone: shown.zone,
    fires: fires.map((fire) => presentFire(fire, labels)),
    started,
    coming,
    hours: hours.map(({ peakMs, ...hour }) => ({ ...hour, peakAt: timestamp(peakMs) })),
    clockChanges: clockChanges.map(({ atMs, zone: name, beforeMs, afterMs }) => ({
      at: timestamp(atMs),
      zone: name,
      minutes: Math.round((afterMs - beforeMs) / 60_000),
    })),
    ...(fileName !== undefined && {
      entries: entries.map(({ kind, expression, zone: own, hasZone }) => ({
        kind,
        expression,
        zone: own,
        hasZone,
      })),
    }),
  }
}

function checkRange({ fromMs, untilMs }: { fromMs: number; untilMs: number }, daysMax: number): void {
  if (untilMs <= fromMs) throw badRequest('from: must be before to')
  if (untilMs - fromMs > daysMax * dayMs) throw badRequest(`to: must be at most ${daysMax} days after from`)
}

function presentFire(
  { atMs, fileName, kind, zone, suspended, run, missed, overdue }: Fire,
  labels: LabelSet,
): InferOutput<typeof ScheduleAnswer>['fires'][number] {
  return {
    at: timestamp(atMs),
    fileName,
    kind,
    ...(zone !== undefined && { zone }),
    ...(suspended === true && { suspended }),
    ...(run !== undefined && {
      run: {
        dagRunId: run.runId,
        name: run.dagName,
        status: runStatusCode(run.status),
        statusLabel: statusLabel(run.status, labels),
        lateMs: Math.floor(run.lateMs),
      },
    }),
    ...(missed !== undefined && { missed }),
    ...(overdue === true && { overdue }),
  }
}

/** What a changed schedule would do. */
export function presentPreview({
  added,
  removed,
  kept,
  collisions,
}: SchedulePreview): Omit<
  InferOutput<typeof PreviewAnswer>,
  'valid' | 'errors' | 'isNew' | 'suspended' | 'from' | 'to'
> {
  const shown = ({ atMs, kind, zone }: ChangedFire) => ({ at: timestamp(atMs), kind, zone })
  return {
    adds: added.slice(0, limits.previewFiresMax).map(shown),
    removes: removed.slice(0, limits.previewFiresMax).map(shown),
    added: added.length,
    removed: removed.length,
    kept,
    collisions: collisions.map(({ atMs, others }) => ({ at: timestamp(atMs), others })),
  }
}
