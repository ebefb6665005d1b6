import { dayText } from '../../model/local-time.ts'
import { heatRows, hoursOfDay, shadeOf, type StartHour } from '../../model/start-hours.ts'

interface Props {
  readonly hours: readonly StartHour[]
  /** As `2026-11-22`. */
  readonly first: string
  readonly zone: string
  /** Days on which the clock is changed. */
  readonly changedDays: readonly string[]
}

const weeks = 12

/** When a DAG starts in the weeks to come, by the hours of its zone: a number in each cell, and darker for more. */
export function StartHeat({ hours, first, zone, changedDays }: Props) {
  const rows = heatRows(hours, first, weeks)
  const most = Math.max(1, ...rows.flatMap(({ starts }) => starts))
  return (
    <div class="start-heat" role="region" aria-label="Starts by week and hour" tabIndex={0}>
      <table class="start-heat-weeks">
        <caption class="start-heat-caption">
          Starts in the next {weeks} weeks, by hour in {zone}
        </caption>
        <thead>
          <tr>
            <th scope="col">Week from</th>
            {hoursOfDay().map((hour) => (
              <th key={hour} scope="col">
                {String(hour).padStart(2, '0')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ day, starts }) => {
            const last = new Date(Date.parse(`${day}T00:00:00Z`) + 6 * 86_400_000).toISOString().slice(0, 10)
            const isChanged = changedDays.some((changed) => changed >= day && changed <= last)
            return (
              <tr key={day}>
                <th scope="row">
                  {dayText(day)}
                  {isChanged && <b> clock change</b>}
                </th>
                {starts.map((count, hour) => (
                  <td key={hour} class={`start-heat-shade-${shadeOf(count, most)}`}>
                    {count === 0 ? '' : count}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
