import { Ago, Took } from '../../controls/time/time.tsx'
import { useData } from '../../data/page-data.ts'
import type { RunAddress } from '../../model/links.ts'
import type { StepTry } from '../../model/step-rows.ts'

interface Props {
  readonly run: RunAddress
  readonly step: string
  readonly tries: readonly StepTry[]
}

/** The tries of a step, newest first; each leads to the line of the log at which it began. */
export function StepTries({ run, step, tries }: Props) {
  const { links, now } = useData()
  if (tries.length === 0) return null
  const hasAttempts = tries.some(({ attempt }) => attempt !== tries[0]?.attempt)
  return (
    <>
      <h3 class="step-drawer-title">Tries</h3>
      <ol class="step-drawer-list" aria-label="Tries">
        {tries
          .toReversed()
          .map(({ attempt, number, startedAtMs, finishedAtMs, exitCode, error, logLine }) => (
            <li key={`${attempt} ${number}`}>
              <a
                href={links.log(run, { step, line: logLine ?? 1, ...(attempt !== undefined && { attempt }) })}
              >
                {hasAttempts ? `Attempt ${attempt}, try ${number}` : `Try ${number}`}
              </a>{' '}
              {exitCode !== undefined && <span>exit code {exitCode}, </span>}
              <Took
                startedAt={startedAtMs}
                ms={lasted(startedAtMs, finishedAtMs)}
                isOver={finishedAtMs !== undefined}
                now={now}
              />
              , <Ago at={finishedAtMs ?? startedAtMs} now={now} />
              {error !== '' && <span class="quiet">: {error.split('\n')[0]}</span>}
            </li>
          ))}
      </ol>
    </>
  )
}

const lasted = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : to - from
