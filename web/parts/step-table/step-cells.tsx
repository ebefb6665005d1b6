import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import { hasEnded } from '../../model/states.ts'
import type { StepRow } from '../../model/step-rows.ts'
import { StateSign } from '../state-mark/state-mark.tsx'

/** The cells of a step, except for its name. */
export function StepCells({ row }: { readonly row: StepRow }) {
  const { now } = useData()
  return (
    <>
      <td>
        <StateSign state={row.state} />
      </td>
      <td class="step-table-depends">{row.dependsOn.join(', ') || '–'}</td>
      <td>{row.exitCode ?? '–'}</td>
      <td>{row.tries === 0 ? '–' : row.tries}</td>
      <td>
        <Ago at={row.startedAtMs} now={now} />
      </td>
      <td>
        <Took startedAt={row.startedAtMs} ms={row.tookMs} isOver={hasEnded(row.state)} now={now} />
      </td>
      <td class="step-table-error">{row.error.split('\n')[0]}</td>
    </>
  )
}
