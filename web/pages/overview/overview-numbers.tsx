import type { ComponentChildren } from 'preact'
import { useData } from '../../data/page-data.ts'
import { durationText } from '../../model/durations.ts'
import { withQuery } from '../../model/links.ts'
import { comparedText, lastOf } from '../../model/overview-text.ts'
import { StateMark } from '../../parts/state-mark/state-mark.tsx'
import type { State } from '../../model/states.ts'
import type { Overview } from './overview-answer.ts'

/** What is running, and how runs ended. */
export function OverviewNumbers({
  overview,
  hours,
}: {
  readonly overview: Overview
  readonly hours: number
}) {
  const { links } = useData()
  const { running, queued, oldestWaitMs, runners, ended, before } = overview
  const runsOf = (state: string): string => withQuery(links.runs, { q: state, last: lastOf(hours) })
  const now = (state: string): string => withQuery(links.runs, { q: state })
  return (
    <dl class="overview-numbers">
      <Figure name="Running" count={running} href={now('running')} state="running">
        {runners.used} of {runners.slots} slots used
      </Figure>
      <Figure name="Waiting" count={queued} href={now('queued')} state="queued">
        {oldestWaitMs === undefined ? 'nothing waits' : `the oldest for ${durationText(oldestWaitMs)}`}
      </Figure>
      <Figure name="Runners" count={runners.live}>
        {runners.busy} busy, {runners.live - runners.busy} free
      </Figure>
      <Figure name="Succeeded" count={ended.succeeded} href={runsOf('success')} state="success">
        {comparedText(ended.succeeded, before.succeeded)}
      </Figure>
      <Figure name="Failed" count={ended.failed} href={runsOf('failed')} state="failed">
        {comparedText(ended.failed, before.failed)}
      </Figure>
    </dl>
  )
}

interface Props {
  readonly name: string
  readonly count: number
  readonly href?: string
  readonly state?: State
  readonly children: ComponentChildren
}

function Figure({ name, count, href, state, children }: Props) {
  const shown = count.toLocaleString('en')
  return (
    <div class="overview-figure">
      <dt class="quiet">
        {state !== undefined && <StateMark state={state} />} {name}
      </dt>
      <dd class="overview-figure-count">{href === undefined ? shown : <a href={href}>{shown}</a>}</dd>
      <dd class="overview-figure-more quiet">{children}</dd>
    </div>
  )
}
