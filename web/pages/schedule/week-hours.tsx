import { changeText } from '../../model/agenda.ts'
import { dayText } from '../../model/local-time.ts'
import { hoursOfDay, shadeOf, weekOf, type StartHour } from '../../model/start-hours.ts'
import type { ViewProps } from './schedule-answer.ts'

/** Seven days by their hours: how much starts, and where several DAGs start in the same minute. */
export function WeekHours({ answer, local, first }: ViewProps & { readonly first: string }) {
  const { days, at } = weekOf(answer.hours, first)
  const changes = answer.clockChanges.filter((change) => days.includes(local.day(Date.parse(change.at))))
  const most = Math.max(1, ...answer.hours.map(({ starts }) => starts))
  return (
    <>
      {changes.map((change) => (
        <p key={`${change.at} ${change.zone}`} class="schedule-change">
          {dayText(local.day(Date.parse(change.at)))}: {changeText(change, local)}
        </p>
      ))}
      <div class="schedule-week" role="region" aria-label="Week" tabIndex={0}>
        <table class="schedule-week-hours" aria-label="Schedule">
          <thead>
            <tr>
              <th scope="col">Hour</th>
              {days.map((day) => (
                <th key={day} scope="col">
                  {dayText(day)}
                  {changes.some((change) => local.day(Date.parse(change.at)) === day) && (
                    <span class="schedule-week-change"> clock change</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hoursOfDay().map((hour) => (
              <tr key={hour}>
                <th scope="row">{String(hour).padStart(2, '0')}:00</th>
                {days.map((day) => {
                  const found = at(day, hour)
                  return (
                    <td key={day} class={`schedule-week-shade-${shadeOf(found?.starts ?? 0, most)}`}>
                      {found !== undefined && (
                        <Cell found={found} time={local.time(Date.parse(found.peakAt))} />
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="schedule-note quiet">
        Starts per hour: actual starts in the past, scheduled starts in the future. Suspended DAGs do not
        count.
      </p>
    </>
  )
}

function Cell({ found: { starts, peak }, time }: { readonly found: StartHour; readonly time: string }) {
  return (
    <>
      {starts.toLocaleString('en')}
      {peak > 1 && (
        <span class="schedule-week-peak">
          {peak.toLocaleString('en')} DAGs at {time}
        </span>
      )}
    </>
  )
}
