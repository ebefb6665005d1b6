import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { hasEnded } from '../../model/states.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { StateSign } from '../state-mark/state-mark.tsx'
import { StepName, type RunPlace } from './step-name.tsx'

interface Props {
  readonly run: RunPlace
  readonly steps: readonly StepRow[]
}

/** The steps of a run as words and numbers. */
export function StepTable({ run, steps }: Props) {
  const { now } = useData()
  return (
    <div class="step-table" tabIndex={0} role="region" aria-label="Table of steps">
      <table class="step-table-rows" aria-label="Steps">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">State</th>
            <th scope="col">Depends on</th>
            <th scope="col">Tries</th>
            <th scope="col">Started</th>
            <th scope="col">Took</th>
            <th scope="col">Error</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((row) => (
            <tr key={row.name}>
              <td class="step-table-name">
                <StepName run={run} row={row} />
              </td>
              <td>
                <StateSign state={row.state} />
              </td>
              <td class="step-table-depends">{row.dependsOn.join(', ') || '–'}</td>
              <td>{row.tries === 0 ? '–' : row.tries}</td>
              <td>
                <Ago at={row.startedAtMs} now={now} />
              </td>
              <td>
                <Took startedAt={row.startedAtMs} ms={row.tookMs} isOver={hasEnded(row.state)} now={now} />
              </td>
              <td class="step-table-error">{row.error.split('\n')[0]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
