import { useLocation } from 'preact-iso/router'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { TabLinks } from '../../controls/tab-links/tab-links.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { withQuery } from '../../model/links.ts'
import { hoursNamed, periods } from '../../model/overview-text.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RunHistogram } from '../../parts/run-histogram/run-histogram.tsx'
import { OverviewLists } from './overview-lists.tsx'
import { OverviewNumbers } from './overview-numbers.tsx'

const readMs = 5_000

/** The service at a glance: what is running, what failed, what is next. */
export function OverviewPage() {
  const { ask, links } = useData()
  const { query, route } = useLocation()
  const hours = hoursNamed(query['hours'])
  const reading = useQuery(['overview', hours], () => ask('getOverview', { query: { hours } }), readMs)
  return (
    <>
      <PageHead title="Overview" name="Overview" />
      <TabLinks
        name="Periods"
        tabs={periods.map((period) => ({
          name: period.name,
          href: withQuery(links.overview, period.hours === 24 ? {} : { hours: String(period.hours) }),
          isHere: period.hours === hours,
        }))}
      />
      <Loaded reading={reading} what="the overview">
        {(answer) => {
          const range = { from: Date.parse(answer.from) / 1000, to: Date.parse(answer.to) / 1000 }
          return (
            <>
              <OverviewNumbers overview={answer} hours={hours} />
              <div class="overview-histogram">
                <RunHistogram
                  buckets={answer.histogram}
                  range={range}
                  onRange={({ from, to }) =>
                    route(
                      withQuery(links.runs, { from: String(Math.round(from)), to: String(Math.round(to)) }),
                    )
                  }
                />
              </div>
              <OverviewLists overview={answer} hours={hours} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}
