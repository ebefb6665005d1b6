import type { Answer } from '#lib/client/client.ts'
import type { LocalTime } from '../../model/local-time.ts'

export type Schedule = Extract<Answer<'getSchedule'>, { status: 200 }>['body']

/** The data of each view of the schedule. */
export interface ViewProps {
  readonly answer: Schedule
  readonly local: LocalTime
}
