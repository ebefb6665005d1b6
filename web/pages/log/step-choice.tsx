import { useLocation } from 'preact-iso/router'
import { useData } from '../../data/page-data.ts'
import { stateWord } from '../../model/states.ts'
import type { StepRow } from '../../model/step-rows.ts'
import type { RunPlace } from '../../parts/step-table/step-name.tsx'

interface Props {
  readonly place: RunPlace
  readonly steps: readonly StepRow[]
  readonly chosen: string
}

/** The steps of the run, as a field. */
export function StepChoice({ place, steps, chosen }: Props) {
  const { links } = useData()
  const { route } = useLocation()
  return (
    <select
      class="step-choice"
      aria-label="Step"
      onChange={(event) => route(links.log(place.name, place.runId, { step: event.currentTarget.value }))}
    >
      {steps.map((row) => (
        <option key={row.name} value={row.name} selected={row.name === chosen}>
          {`${row.name} (${stateWord(row.state)})`}
        </option>
      ))}
    </select>
  )
}
