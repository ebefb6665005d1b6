import type { RunDetails } from '../../data/run-calls.ts'
import { differenceText, stepPairs, type TimedStep } from '../../model/compare-runs.ts'
import { durationText } from '../../model/durations.ts'
import { stepRows } from '../../model/step-rows.ts'
import { StateSign } from '../../parts/state-mark/state-mark.tsx'

interface Props {
  readonly a: RunDetails
  readonly b: RunDetails
}

/** States and durations of the steps of both runs: two bars each, on one scale. */
export function StepPairs({ a, b }: Props) {
  const rows = stepPairs(stepsOf(a), stepsOf(b))
  return (
    <div class="compare-page-scroll">
      <table class="compare-page-pairs" aria-label="Steps of both runs">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col" class="compare-page-bars">
              Durations
            </th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, a: before, b: after, aPart, bPart }) => (
            <tr key={name} class={before?.state === after?.state ? '' : 'compare-page-differs'}>
              <th scope="row">{name}</th>
              <Timed step={before} />
              <Timed step={after} />
              <td class="compare-page-bars">
                <div class="compare-page-bar compare-page-bar-a" style={{ inlineSize: `${aPart * 100}%` }} />
                <div class="compare-page-bar compare-page-bar-b" style={{ inlineSize: `${bPart * 100}%` }} />
              </td>
              <td>{differenceText(before?.tookMs, after?.tookMs, durationText)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Timed({ step }: { readonly step: TimedStep | undefined }) {
  if (step === undefined) return <td class="quiet">not a step</td>
  return (
    <td>
      <StateSign state={step.state} />{' '}
      {step.tookMs !== undefined && <span class="quiet">{durationText(step.tookMs)}</span>}
    </td>
  )
}

const stepsOf = (run: RunDetails): ReadonlyMap<string, TimedStep> =>
  new Map(stepRows(run).map(({ name, state, tookMs }) => [name, { state, tookMs }]))
