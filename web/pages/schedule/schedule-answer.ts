import type { Answer } from '#lib/client/client.ts'
import type { LocalTime } from '../../model/local-time.ts'

export type Schedule = Extract<Answer<'getSchedule'>, { status: 200 }>['body']

/** What each view of the schedule is given. */
export interface ViewProps {
  readonly answer: Schedule
  readonly local: LocalTime
}
