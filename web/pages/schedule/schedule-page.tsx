import { useLocation } from 'preact-iso/router'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { TabLinks } from '../../controls/tab-links/tab-links.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { localTime } from '../../model/local-time.ts'
import { withQuery } from '../../model/links.ts'
import { scheduleRange, scheduleViews, viewNamed } from '../../model/schedule-view.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { Agenda } from './agenda.tsx'
import { DayLinks } from './day-links.tsx'
import { PastFires } from './past-fires.tsx'
import { WeekHours } from './week-hours.tsx'

/** Polling interval: schedules change rarely, and past runs appear by the minute. Milliseconds. */
const readMs = 15_000

/** When all DAGs fire: the next fires, the hours of a week, and what happened at past times. */
export function SchedulePage() {
  const { ask, links, now } = useData()
  const { query } = useLocation()
  const local = localTime()
  const view = viewNamed(query['view'])
  const today = local.day(now.value)
  const range = scheduleRange({ ...query, view }, today, now.peek())
  const reading = useQuery(
    ['schedule', view, range.key],
    () => ask('getSchedule', { query: { ...range.query, zone: local.zone } }),
    readMs,
  )
  return (
    <>
      <PageHead title="Schedule" name="Schedule">
        <span class="quiet">times in {local.zone}</span>
      </PageHead>
      <TabLinks
        name="Views of the schedule"
        tabs={scheduleViews.map(({ value, name }) => ({
          name,
          href: withQuery(links.schedule, value === '' ? {} : { view: value }),
          isHere: view === value,
        }))}
      />
      {view === 'week' && <DayLinks first={range.first} today={today} />}
      <Loaded reading={reading} what="the schedule">
        {(answer) => {
          if (view === 'week') return <WeekHours answer={answer} first={range.first} local={local} />
          if (view === 'past') return <PastFires answer={answer} local={local} />
          return <Agenda answer={answer} local={local} />
        }}
      </Loaded>
    </>
  )
}
