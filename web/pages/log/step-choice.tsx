import { useLocation } from 'preact-iso/router'
import { useData } from '../../data/page-data.ts'
import type { RunAddress } from '../../model/links.ts'
import { stateWord } from '../../model/states.ts'
import type { StepRow } from '../../model/step-rows.ts'

interface Props {
  readonly address: RunAddress
  readonly steps: readonly StepRow[]
  /** Undefined: all steps. */
  readonly chosen: string | undefined
}

/** The steps of the run, as a field; the first choice is all of them. */
export function StepChoice({ address, steps, chosen }: Props) {
  const { links } = useData()
  const { route } = useLocation()
  return (
    <select
      class="step-choice"
      aria-label="Step"
      onChange={(event) => route(links.log(address, { step: event.currentTarget.value }))}
    >
      <option value="" selected={chosen === undefined}>
        all steps
      </option>
      {steps.map((row) => (
        <option key={row.name} value={row.name} selected={row.name === chosen}>
          {`${row.name} (${stateWord(row.state)})`}
        </option>
      ))}
    </select>
  )
}
