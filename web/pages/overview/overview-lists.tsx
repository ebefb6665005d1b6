import type { ComponentChildren } from 'preact'
import { Ago } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { durationText } from '../../model/durations.ts'
import { withQuery } from '../../model/links.ts'
import { lastOf, slowText } from '../../model/overview-text.ts'
import type { Overview } from './overview-answer.ts'

/** What to look at: failures, long runs, and schedules. */
export function OverviewLists({ overview, hours }: { readonly overview: Overview; readonly hours: number }) {
  const { links, now } = useData()
  const { failing, longest, next, late } = overview
  return (
    <div class="overview-lists">
      <List title="Fails most" none="No run has failed" isEmpty={failing.length === 0}>
        {failing.map(({ name, failed, newestRunId }) => (
          <li key={name}>
            <a href={links.run(name, newestRunId)}>{name}</a>
            <a class="quiet" href={withQuery(links.runs, { q: `failed dag:${name}`, last: lastOf(hours) })}>
              {failed.toLocaleString('en')} failed
            </a>
          </li>
        ))}
      </List>
      <List title="Runs longest" none="Nothing is running" isEmpty={longest.length === 0}>
        {longest.map(({ name, dagRunId, ms, p95Ms }) => (
          <li key={dagRunId}>
            <a href={links.run(name, dagRunId)}>{name}</a>
            <span class="quiet">
              {durationText(ms)}
              {p95Ms !== undefined && `, 95 % within ${durationText(p95Ms)}`}
            </span>
            {slowText(ms, p95Ms) !== undefined && <b>{slowText(ms, p95Ms)}</b>}
          </li>
        ))}
      </List>
      <List title="Fires next" none="Nothing is scheduled" isEmpty={next.length === 0}>
        {next.map(({ fileName, at, zone }) => (
          <li key={`${fileName} ${at}`}>
            <a href={links.dag(fileName, 'schedule')}>{fileName}</a>
            <span class="quiet" title={zone}>
              <Ago at={Date.parse(at)} now={now} />
            </span>
          </li>
        ))}
      </List>
      <List title="Late schedules" none="Every schedule is served in time" isEmpty={late.length === 0}>
        {late.map(({ fileName, at }) => (
          <li key={`${fileName} ${at}`}>
            <a href={links.dag(fileName, 'schedule')}>{fileName}</a>
            <b>
              due <Ago at={Date.parse(at)} now={now} />
            </b>
          </li>
        ))}
      </List>
    </div>
  )
}

interface Props {
  readonly title: string
  readonly none: string
  readonly isEmpty: boolean
  readonly children: ComponentChildren
}

function List({ title, none, isEmpty, children }: Props) {
  return (
    <section class="overview-list" aria-label={title}>
      <h2>{title}</h2>
      {isEmpty ? <p class="quiet">{none}</p> : <ul class="overview-list-items">{children}</ul>}
    </section>
  )
}
