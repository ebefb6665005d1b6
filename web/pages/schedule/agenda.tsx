import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { Ago } from '../../controls/time/time.tsx'
import { Toggles } from '../../controls/toggles/toggles.tsx'
import { useData } from '../../data/page-data.ts'
import {
  agendaDays,
  changeText,
  firstMoments,
  frequentDags,
  startsOf,
  type Moment,
} from '../../model/agenda.ts'
import { dayText, type LocalTime } from '../../model/local-time.ts'
import { FireLink } from './fire-link.tsx'
import type { ViewProps } from './schedule-answer.ts'

/** Rows at first; each press shows as many more. */
const momentsShown = 100

/** What fires next, minute by minute. */
export function Agenda({ answer, local }: ViewProps) {
  const [most, setMost] = useState(momentsShown)
  const [isNarrow, setNarrow] = useState(false)
  const frequent = frequentDags(answer.fires)
  const fires = isNarrow ? answer.fires.filter(({ fileName }) => !frequent.has(fileName)) : answer.fires
  const days = agendaDays(fires, answer.clockChanges, local)
  if (answer.fires.length === 0) {
    return (
      <Notice title="Nothing is scheduled in the next seven days">
        A DAG with a schedule in its text appears here.
      </Notice>
    )
  }
  const shown = firstMoments(days, most)
  const count = days.reduce((sum, { moments }) => sum + moments.length, 0)
  return (
    <>
      {frequent.size > 0 && <Frequent count={frequent.size} isNarrow={isNarrow} onChange={setNarrow} />}
      <div class="schedule-table">
        <table class="data-table-rows schedule-table-rows" aria-label="Schedule">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col" class="schedule-table-in">
                In
              </th>
              <th scope="col">DAGs</th>
            </tr>
          </thead>
          {shown.map(({ day, moments }) => (
            <tbody key={day}>
              <tr>
                <th scope="rowgroup" colSpan={3} class="schedule-table-day">
                  {dayText(day)}
                </th>
              </tr>
              {moments.map((moment) => (
                <MomentRow key={moment.at} moment={moment} local={local} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <div class="schedule-more">
        {most < count && <Button onPress={() => setMost(most + momentsShown)}>Show more</Button>}
        <span class="quiet">{coverage(answer, most < count)}</span>
      </div>
    </>
  )
}

interface FrequentProps {
  readonly count: number
  readonly isNarrow: boolean
  readonly onChange: (isNarrow: boolean) => void
}

/** DAGs that fire often hide the others. */
function Frequent({ count, isNarrow, onChange }: FrequentProps) {
  return (
    <div class="schedule-tools">
      <Toggles
        name="Shown"
        toggles={[
          {
            name: 'Hide hourly and more frequent',
            isOn: isNarrow,
            onPress: () => onChange(!isNarrow),
          },
        ]}
      />
      <span class="quiet">
        {count.toLocaleString('en')} {count === 1 ? 'DAG fires' : 'DAGs fire'} that often
      </span>
    </div>
  )
}

function coverage({ coming, fires }: ViewProps['answer'], hasMore: boolean): string {
  const all = coming.toLocaleString('en')
  if (coming > fires.length)
    return `the next ${fires.length.toLocaleString('en')} of ${all} fires in seven days`
  return hasMore ? `${all} fires in seven days` : `all ${all} fires of seven days`
}

/** DAGs of a minute that are in its row; the others follow on a press. */
const dagsShown = 8

function MomentRow({ moment, local }: { readonly moment: Moment; readonly local: LocalTime }) {
  const { now } = useData()
  const [isOpen, setOpen] = useState(false)
  const { at, fires, changes } = moment
  const atMs = Date.parse(at)
  const starts = startsOf(fires)
  const shown = isOpen ? fires : fires.slice(0, dagsShown)
  return (
    <tr>
      <td class="schedule-table-time">
        <time dateTime={at}>{local.time(atMs)}</time>
      </td>
      <td class="quiet schedule-table-in">
        <Ago at={atMs} now={now} />
      </td>
      <td>
        {changes.map((change) => (
          <p key={change.zone} class="schedule-table-change">
            Clock change: {changeText(change, local)}
          </p>
        ))}
        {starts > 1 && (
          <b class="schedule-table-count">
            {starts.toLocaleString('en')} DAGs at {local.time(atMs)}
          </b>
        )}
        <ul class="schedule-table-dags">
          {shown.map((fire) => (
            <FireLink key={`${fire.fileName} ${fire.kind}`} fire={fire} local={local} />
          ))}
        </ul>
        {shown.length < fires.length && (
          <Button onPress={() => setOpen(true)}>{fires.length - shown.length} more</Button>
        )}
      </td>
    </tr>
  )
}
