import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import { useQuery } from '../../data/cache.ts'
import { callsAbout, runKey } from '../../data/run-calls.ts'
import type { RunAddress } from '../../model/links.ts'
import type { State } from '../../model/states.ts'
import { errorHead, triesOf, type StepRow } from '../../model/step-rows.ts'
import { LastLines } from '../last-lines/last-lines.tsx'
import { Loaded } from '../load-state/load-state.tsx'
import { StateSign } from '../state-mark/state-mark.tsx'
import { StepActions } from './step-actions.tsx'
import { StepFacts } from './step-facts.tsx'
import { StepTries } from './step-tries.tsx'
import { StepValues } from './step-values.tsx'

interface Props {
  readonly run: RunAddress
  readonly runState: State
  readonly row: StepRow
  readonly onClose: () => void
}

/** Everything about one step of a run, beside the list of steps. */
export function StepDrawer({ run, runState, row, onClose }: Props) {
  const { ask, links } = useData()
  const element = useRef<HTMLElement>(null)
  // Reloaded when anything about the step changes.
  const reading = useQuery([...runKey(run), 'step', JSON.stringify(row)], () =>
    callsAbout(ask, run).step(row.name),
  )
  const seen = useRef(reading.data)
  seen.current = [reading.data, seen.current].find((node) => node?.step.name === row.name)
  useEffect(() => {
    const before = document.activeElement
    element.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [row.name])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) onClose()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onClose])
  return (
    <section ref={element} class="step-drawer" aria-label={`Step ${row.name}`} tabIndex={-1}>
      <header class="step-drawer-head">
        <h2 class="step-drawer-name">{row.name}</h2>
        <StateSign state={row.state} />
        <span class="step-drawer-space" />
        <Button onPress={onClose}>Close</Button>
      </header>
      {row.hasLog && (
        <p class="step-drawer-logs">
          {(['stdout', 'stderr', 'both'] as const).map((stream) => (
            <a key={stream} href={links.log(run, { step: row.name, stream })}>
              {stream === 'both' ? 'Both in order' : `Log, ${stream}`}
            </a>
          ))}
        </p>
      )}
      <StepActions run={run} runState={runState} row={row} />
      <Loaded reading={{ ...reading, data: seen.current }} what={`the step ${row.name}`}>
        {(node) => (
          <>
            {node.step.description !== '' && <p class="quiet">{node.step.description}</p>}
            {node.error !== '' && (
              <pre class="step-drawer-text" tabIndex={0} role="region" aria-label="Error">
                {errorHead(node.error)}
              </pre>
            )}
            <StepTries run={run} step={row.name} tries={triesOf(node)} />
            <StepFacts node={node} row={row} />
            <StepValues run={run} node={node} />
          </>
        )}
      </Loaded>
      <LastLines run={run} row={row} stream="stderr" />
      <LastLines run={run} row={row} stream="stdout" />
    </section>
  )
}
