import { useData } from '../../data/page-data.ts'
import type { RunOutline } from '../../data/run-calls.ts'
import type { RunAddress } from '../../model/links.ts'
import { runState, stateWord } from '../../model/states.ts'
import { StateMark } from '../../parts/state-mark/state-mark.tsx'

interface Props {
  readonly address: RunAddress
  readonly attempts: NonNullable<RunOutline['attempts']>
  readonly shown: number | undefined
}

/** The attempts of a retried run, with their results. */
export function AttemptLinks({ address, attempts, shown }: Props) {
  const { links } = useData()
  const { attempt: _, ...now } = address
  const newest = attempts.at(-1)?.attempt
  return (
    <nav class="attempt-links" aria-label="Attempts">
      {attempts.map(({ attempt, status }) => (
        <a
          key={attempt}
          class="attempt-links-link"
          href={attempt === newest ? links.runAt(now) : links.runAt({ ...now, attempt })}
          aria-label={`Attempt ${attempt}: ${stateWord(runState(status))}`}
          {...(attempt === shown && { 'aria-current': 'page' as const })}
        >
          <StateMark state={runState(status)} />
          {attempt}
        </a>
      ))}
    </nav>
  )
}
