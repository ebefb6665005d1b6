import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { Toggles } from '../../controls/toggles/toggles.tsx'
import { useData } from '../../data/page-data.ts'
import type { Fire } from '../../model/agenda.ts'
import { durationText } from '../../model/durations.ts'
import { dayText, type LocalTime } from '../../model/local-time.ts'
import { isLate, runState } from '../../model/states.ts'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'
import type { ViewProps } from './schedule-answer.ts'

const firesShown = 100

/** What happened at the scheduled times of the last two days, newest first. */
export function PastFires({ answer, local }: ViewProps) {
  const [most, setMost] = useState(firesShown)
  const [isNarrow, setNarrow] = useState(false)
  const fires = answer.fires.filter((fire) => !isNarrow || needsALook(fire)).toReversed()
  return (
    <>
      <div class="schedule-tools">
        <Toggles
          name="Shown"
          toggles={[{ name: 'Only late and missed', isOn: isNarrow, onPress: () => setNarrow(!isNarrow) }]}
        />
      </div>
      {fires.length === 0 ? (
        <Notice
          title={isNarrow ? 'Nothing was late or missed' : 'No schedule has fired in the last two days'}
        />
      ) : (
        <div class="schedule-table">
          <table class="data-table-rows schedule-table-rows" aria-label="Schedule">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">DAG</th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {fires.slice(0, most).map((fire) => (
                <PastRow key={`${fire.at} ${fire.fileName} ${fire.kind}`} fire={fire} local={local} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="schedule-more">
        {most < fires.length && <Button onPress={() => setMost(most + firesShown)}>Show more</Button>}
        <span class="quiet">
          {answer.started.toLocaleString('en')} runs in two days. Stops are not noted; of suspended DAGs no
          time counts as missed.
        </span>
      </div>
    </>
  )
}

const needsALook = ({ run, missed, overdue }: Fire): boolean =>
  missed !== undefined || overdue === true || (run !== undefined && isLate(run.lateMs))

function PastRow({ fire, local }: { readonly fire: Fire; readonly local: LocalTime }) {
  const { links } = useData()
  const { at, fileName } = fire
  const atMs = Date.parse(at)
  return (
    <tr>
      <td class="schedule-table-time">
        <time dateTime={at}>
          {dayText(local.day(atMs))} {local.time(atMs)}
        </time>
      </td>
      <td>
        <a class="schedule-table-dag" href={links.dag(fileName, 'schedule')}>
          {fileName}
        </a>
      </td>
      <td class="schedule-table-outcome">
        <Outcome fire={fire} />
      </td>
    </tr>
  )
}

function Outcome({ fire: { run, missed, overdue } }: { readonly fire: Fire }) {
  const { links } = useData()
  if (run !== undefined) {
    return (
      <>
        <a class="schedule-table-run" href={links.run(run.name, run.dagRunId)}>
          <StateSign state={runState(run.status)} />
        </a>
        {isLate(run.lateMs) && <span>, late by {durationText(run.lateMs)}</span>}
      </>
    )
  }
  if (overdue === true) return <b>due, but no tick has served it yet</b>
  return (
    <>
      <b>missed</b>: {missed}
    </>
  )
}
