import { useLocation } from 'preact-iso/router'
import { useData } from '../../data/page-data.ts'
import type { LogPosition, RunAddress } from '../../model/links.ts'

interface Props {
  readonly address: RunAddress
  readonly log: LogPosition
  readonly attempts: number
}

/** The attempts of the run, as a field: each has logs of its own. */
export function AttemptChoice({ address, log, attempts }: Props) {
  const { links } = useData()
  const { route } = useLocation()
  const go = (text: string): void => {
    const { attempt: _, ...rest } = log
    route(links.log(address, text === '' ? rest : { ...rest, attempt: Number(text) }))
  }
  return (
    <select class="step-choice" aria-label="Attempt" onChange={(event) => go(event.currentTarget.value)}>
      <option value="" selected={log.attempt === undefined}>
        latest attempt
      </option>
      {Array.from({ length: attempts }, (_, index) => index + 1).map((attempt) => (
        <option key={attempt} value={String(attempt)} selected={log.attempt === attempt}>
          {`attempt ${attempt}`}
        </option>
      ))}
    </select>
  )
}
