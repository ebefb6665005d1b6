import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import type { RunDetails } from '../../data/run-calls.ts'
import { differenceText } from '../../model/compare-runs.ts'
import { durationText, instantOf } from '../../model/durations.ts'
import { hasEnded, runState } from '../../model/states.ts'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'

interface Props {
  readonly a: RunDetails
  readonly b: RunDetails
}

/** The facts of both runs side by side. */
export function RunPairs({ a, b }: Props) {
  const { links, now } = useData()
  const isShown = (fact: string): boolean => fact !== 'Error' || a.error !== '' || b.error !== ''
  const slower = differenceText(a.durationMs, b.durationMs, durationText)
  return (
    <div class="compare-page-part">
      <table class="compare-page-pairs" aria-label="Compared runs">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">What</span>
            </th>
            {[a, b].map((run, index) => (
              <th scope="col" key={index}>
                <span
                  class={`compare-page-key compare-page-key-${index === 0 ? 'a' : 'b'}`}
                  aria-hidden="true"
                />
                {run.name}{' '}
                <a class="code" href={links.run(run.name, run.dagRunId)}>
                  {run.dagRunId}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {factsOf(now)
            .filter(([fact]) => isShown(fact))
            .map(([fact, show]) => (
              <tr key={fact}>
                <th scope="row">{fact}</th>
                <td>{show(a)}</td>
                <td>
                  {show(b)}
                  {fact === 'Took' && slower !== '' && <span class="quiet"> ({slower})</span>}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}

type Fact = readonly [name: string, show: (run: RunDetails) => ComponentChildren]

function factsOf(now: ReadonlySignal<number>): readonly Fact[] {
  const startedAt = (run: RunDetails): number | undefined => run.startedAtMs ?? instantOf(run.startedAt)
  const took = (run: RunDetails) => (
    <Took startedAt={startedAt(run)} ms={run.durationMs} isOver={hasEnded(runState(run.status))} now={now} />
  )
  return [
    ['State', ({ status }) => <StateSign state={runState(status)} />],
    ['Started', (run) => <Ago at={startedAt(run)} now={now} />],
    ['Took', took],
    ['Trigger', ({ triggerType, triggeredBy }) => [triggerType, triggeredBy].filter(Boolean).join(', ')],
    ['Attempt', ({ attempt }) => attempt],
    ['Error', ({ error }) => error],
  ]
}
