import * as v from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { isZone } from '#lib/definition/schedules/parse-cron.ts'
import { ValidateBody } from './bodies.ts'
import { FileOrDagName } from './names.ts'
import { UnixSeconds, WholeNumber } from './numbers.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const milliseconds = count
const time = (text: string) => v.pipe(v.string(), v.description(text))
const kind = v.picklist(['start', 'stop', 'restart'])

const Zone = v.pipe(
  v.string(),
  v.check(isZone, 'must be the name of a time zone, such as Europe/Berlin'),
  v.description('Zone of the hours; when absent, that of the DAG if one is named, else that of the service'),
)

export const ScheduleQuery = v.object({
  from: v.exactOptional(UnixSeconds),
  to: v.exactOptional(UnixSeconds),
  limit: v.exactOptional(
    v.pipe(
      WholeNumber,
      v.minValue(1, 'must be at least 1'),
      v.maxValue(limits.scheduleFiresMax, `must be at most ${limits.scheduleFiresMax}`),
      v.description(`Number of past and of future fires, nearest to now; default ${limits.scheduleFiresMax}`),
    ),
  ),
  dag: v.exactOptional(v.pipe(FileOrDagName, v.description('Only of this DAG'))),
  zone: v.exactOptional(Zone),
})

const Run = v.object({
  dagRunId: v.string(),
  name: v.string(),
  status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6)),
  statusLabel: v.string(),
  lateMs: v.pipe(
    milliseconds,
    v.description('From its scheduled time to its start, including time in a queue'),
  ),
})

const Fire = v.object({
  at: v.string(),
  fileName: v.string(),
  kind,
  zone: v.exactOptional(v.pipe(v.string(), v.description('Absent: the entry may have changed since'))),
  suspended: v.exactOptional(v.literal(true)),
  run: v.exactOptional(v.pipe(Run, v.description('The run that it started'))),
  missed: v.exactOptional(v.pipe(v.string(), v.description('Why it started no run'))),
  overdue: v.exactOptional(
    v.pipe(v.literal(true), v.description('It is due, but no tick has served it yet')),
  ),
})

const Entry = v.object({
  kind,
  expression: v.string(),
  zone: v.string(),
  hasZone: v.pipe(v.boolean(), v.description('Whether the entry names it')),
})

export const ScheduleAnswer = v.object({
  from: v.string(),
  to: v.string(),
  now: v.string(),
  zone: v.pipe(v.string(), v.description('Zone of the hours')),
  fires: v.pipe(v.array(Fire), v.description('Oldest first')),
  started: v.pipe(count, v.description('Runs that schedules have started in the range')),
  coming: v.pipe(count, v.description('Fires to come in the range')),
  hours: v.pipe(
    v.array(
      v.object({
        day: time('As `2026-11-22`, in the zone'),
        hour: v.pipe(count, v.maxValue(23)),
        starts: count,
        peak: v.pipe(count, v.description('DAGs that start in the same minute, at most')),
        peakAt: time('That minute'),
      }),
    ),
    v.description(
      'All hours of the range with starts, even if `fires` is incomplete; without suspended DAGs',
    ),
  ),
  clockChanges: v.pipe(
    v.array(v.object({ at: v.string(), zone: v.string(), minutes: v.pipe(v.number(), v.integer()) })),
    v.description('Clock changes in the zones of the entries'),
  ),
  entries: v.exactOptional(v.pipe(v.array(Entry), v.description('Only with `dag`'))),
})

const { params: _, ...specEntries } = ValidateBody.entries

export const PreviewBody = v.object({
  ...specEntries,
  days: v.exactOptional(
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(limits.scheduleDaysMax, `must be at most ${limits.scheduleDaysMax}`),
      v.description('From now on; 14 when absent'),
    ),
  ),
})

const ChangedFire = v.object({ at: v.string(), kind, zone: v.string() })

export const PreviewAnswer = v.object({
  valid: v.boolean(),
  errors: v.array(v.string()),
  isNew: v.pipe(v.boolean(), v.description('No DAG is stored under this name')),
  suspended: v.pipe(v.boolean(), v.description('The stored DAG is suspended: nothing fires')),
  from: v.string(),
  to: v.string(),
  adds: v.pipe(v.array(ChangedFire), v.description(`The first ${limits.previewFiresMax} added fires`)),
  removes: v.pipe(v.array(ChangedFire), v.description(`The first ${limits.previewFiresMax} removed fires`)),
  added: count,
  removed: count,
  kept: count,
  collisions: v.pipe(
    v.array(v.object({ at: v.string(), others: count })),
    v.description('New starts that coincide with the most other DAGs; at most 10'),
  ),
})
