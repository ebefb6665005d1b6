import { useData } from '../../data/page-data.ts'
import { daysFrom } from '../../model/local-time.ts'
import { withQuery } from '../../model/links.ts'

/** To the weeks before and after. @param first day of the week that is shown */
export function DayLinks({ first, today }: { readonly first: string; readonly today: string }) {
  const { links } = useData()
  const at = (day: string): string =>
    withQuery(links.schedule, { view: 'week', ...(day !== today && { from: day }) })
  const before = daysFrom(first, 1)[0] ?? first
  const weekBefore = new Date(Date.parse(`${before}T00:00:00Z`) - 7 * 86_400_000).toISOString().slice(0, 10)
  return (
    <nav class="schedule-days" aria-label="Weeks">
      <a class="schedule-days-link" href={at(weekBefore)}>
        Earlier
      </a>
      <a
        class="schedule-days-link"
        href={at(today)}
        {...(first === today && { 'aria-current': 'page' as const })}
      >
        From today
      </a>
      <a class="schedule-days-link" href={at(daysFrom(first, 8)[7] ?? first)}>
        Later
      </a>
    </nav>
  )
}
