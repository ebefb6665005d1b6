import { limits } from '#lib/core/limits.ts'
import type { ScheduleEntry, ScheduleLists } from '#lib/definition/definition.ts'
import type { Given, RawDag } from '#lib/definition/reading/layers.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import { parseCron } from '#lib/definition/schedules/parse-cron.ts'

/** Counts the schedules of a file. */
export interface ScheduleCount {
  schedules: number
}

/** Reads when a DAG starts, stops and restarts: a schedule, a list of schedules, or a map with up to three of these. */
export function readSchedule(
  given: Given<NonNullable<RawDag['schedule']>> | undefined,
  count: ScheduleCount,
): ScheduleLists {
  if (given === undefined) return { start: [], stop: [], restart: [] }
  const { value, position } = given
  if (typeof value === 'string' || Array.isArray(value))
    return { start: readAll(value, position, count), stop: [], restart: [] }
  return {
    start: readAll(value.start, position.at('start'), count),
    stop: readAll(value.stop, position.at('stop'), count),
    restart: readAll(value.restart, position.at('restart'), count),
  }
}

function readAll(
  raw: string | readonly string[] | undefined,
  position: Position,
  count: ScheduleCount,
): ScheduleEntry[] {
  if (raw === undefined || raw === '') return []
  const positions = position.items()
  count.schedules += positions.length
  if (count.schedules > limits.schedulesMax) {
    position.fault(`must be fewer: a file has at most ${limits.schedulesMax} schedules`)
    return []
  }
  return positions.flatMap((one) => {
    const reading = parseCron(one.text)
    if ('entry' in reading) return [reading.entry]
    one.fault(`must be a schedule of five fields: ${reading.fault}`)
    return []
  })
}
