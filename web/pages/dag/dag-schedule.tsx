import type { Answer } from '#lib/client/client.ts'
import { Notice } from '../../controls/notice/notice.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { changeText } from '../../model/agenda.ts'
import { cronWords } from '../../model/cron-words.ts'
import { dayText, localTime, type LocalTime } from '../../model/local-time.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { StartHeat } from './start-heat.tsx'
import { TrySchedule } from './try-schedule.tsx'

type Schedule = Extract<Answer<'getSchedule'>, { status: 200 }>['body']

const readMs = 60_000
const weeks = 12
const firesShown = 10
const kindWords: Readonly<Record<string, string>> = { start: 'Starts', stop: 'Stops', restart: 'Restarts' }

/** When one DAG fires: its entries in words, the next times, and the weeks to come. */
export function DagSchedule({ fileName }: { readonly fileName: string }) {
  const { ask, now } = useData()
  const reading = useQuery(
    ['dag', fileName, 'schedule'],
    () => {
      const from = Math.floor(now.peek() / 1000)
      const to = from + weeks * 7 * 86_400
      return ask('getSchedule', { query: { dag: fileName, from, to, limit: firesShown } })
    },
    readMs,
  )
  return (
    <Loaded reading={reading} what={`the schedule of ${fileName}`}>
      {(answer) => (
        <>
          {(answer.entries ?? []).length === 0 ? (
            <Notice title="It has no schedule">
              Without a schedule in its text, it runs only when somebody starts it.
            </Notice>
          ) : (
            <Times answer={answer} />
          )}
          <TrySchedule fileName={fileName} />
        </>
      )}
    </Loaded>
  )
}

function Times({ answer }: { readonly answer: Schedule }) {
  const local = localTime(answer.zone)
  return (
    <>
      <table class="dag-schedule-entries" aria-label="Schedule">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">When</th>
            <th scope="col">Expression</th>
            <th scope="col">Zone</th>
          </tr>
        </thead>
        <tbody>
          {(answer.entries ?? []).map(({ kind, expression, zone, hasZone }) => (
            <tr key={`${kind} ${expression} ${zone}`}>
              <td>{kindWords[kind]}</td>
              <td>{cronWords(expression)}</td>
              <td class="code">{expression}</td>
              <td>
                {zone}
                {!hasZone && <span class="quiet"> of the service</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <NextFires answer={answer} local={local} />
      {answer.hours.length > 0 && (
        <StartHeat
          hours={answer.hours}
          first={local.day(Date.parse(answer.now))}
          zone={answer.zone}
          changedDays={answer.clockChanges.map(({ at }) => local.day(Date.parse(at)))}
        />
      )}
    </>
  )
}

function NextFires({ answer, local }: { readonly answer: Schedule; readonly local: LocalTime }) {
  const { now } = useData()
  const coming = answer.fires.filter(({ at }) => Date.parse(at) >= Date.parse(answer.now))
  return (
    <section class="dag-schedule-part" aria-label="Next fires">
      <h2>Next fires</h2>
      <ol class="dag-schedule-fires">
        {coming.map(({ at, kind, suspended }) => (
          <li key={`${at} ${kind}`}>
            {dayText(local.day(Date.parse(at)))} {local.time(Date.parse(at))}{' '}
            <span class="quiet">
              <Ago at={Date.parse(at)} now={now} />
              {kind !== 'start' && `, ${kindWords[kind]?.toLowerCase()}`}
              {suspended === true && ', suspended'}
            </span>
          </li>
        ))}
      </ol>
      {coming.length === 0 && <p class="quiet">None in the next {weeks} weeks</p>}
      {answer.clockChanges.map((change) => (
        <p key={`${change.at} ${change.zone}`}>
          {dayText(local.day(Date.parse(change.at)))}: {changeText(change, local)}
        </p>
      ))}
    </section>
  )
}
