import { useEffect, useRef, useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import { barHeights } from '../../model/bar-height.ts'
import { durationText } from '../../model/durations.ts'
import { runState, stateWord } from '../../model/states.ts'
import type { GridRow } from '../../model/step-grid.ts'
import { StateMark } from '../state-mark/state-mark.tsx'
import { walkGrid } from './walk-grid.ts'

interface GridRun {
  readonly dagRunId: string
  readonly name: string
  /** Code of the API. */
  readonly status: number
  readonly durationMs?: number
}

interface Props {
  /** The newest last, as the states of the rows. */
  readonly runs: readonly GridRun[]
  readonly rows: readonly GridRow[]
  /** Milliseconds that a step usually takes, by its name. */
  readonly typical: Readonly<Record<string, number>>
}

/** Pixels of the longest bar. */
const barHeight = 32

/** The steps of the last runs: a row per step, a column per run. Arrow keys move; a cell links to its step. */
export function RunGrid({ runs, rows, typical }: Props) {
  const { links } = useData()
  const element = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<number>()
  // The newest runs are at the right end.
  useEffect(() => {
    element.current?.scrollTo({ left: element.current.scrollWidth })
  }, [runs.length])
  return (
    <div ref={element} class="run-grid">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role */}
      <table class="run-grid-table" role="grid" aria-label="Steps of the last runs" onKeyDown={walkGrid}>
        <thead>
          <tr>
            <th scope="col" class="run-grid-name">
              Step
            </th>
            <RunHeads runs={runs} hovered={hovered} />
            <th scope="col" class="run-grid-note">
              Typically
            </th>
          </tr>
        </thead>
        <tbody onPointerLeave={() => setHovered(undefined)}>
          {rows.map(({ name, states, failedRuns }) => (
            <tr key={name} class="run-grid-row">
              <th scope="row" class="run-grid-name" title={name}>
                {name}
              </th>
              {runs.map(({ name: dagName, dagRunId }, column) => {
                const state = states[column] ?? 'not_started'
                return (
                  <td
                    key={dagRunId}
                    class={column === hovered ? 'run-grid-cell run-grid-hovered' : 'run-grid-cell'}
                    onPointerEnter={() => setHovered(column)}
                  >
                    <a
                      class="run-grid-link"
                      href={links.run(dagName, dagRunId, { step: name })}
                      aria-label={`${name} ${stateWord(state)} in ${dagRunId}`}
                      title={`${name}: ${stateWord(state)}`}
                      tabIndex={-1}
                    >
                      <StateMark state={state} />
                    </a>
                  </td>
                )
              })}
              <td class="run-grid-note">
                {failedRuns > 0 && <FailedSince runs={failedRuns} />}{' '}
                <span class="quiet">{typical[name] !== undefined && durationText(typical[name])}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const FailedSince = ({ runs }: { readonly runs: number }) => (
  <b>{runs === 1 ? 'failed in its last run' : `failed in its last ${runs} runs`}</b>
)

/** The runs as bars, as high as they took. The newest is where the Tab key stops. */
function RunHeads({
  runs,
  hovered,
}: {
  readonly runs: readonly GridRun[]
  readonly hovered: number | undefined
}) {
  const { links } = useData()
  const heights = barHeights(runs.map(({ durationMs }) => durationMs))
  return (
    <>
      {runs.map(({ name, dagRunId, status, durationMs }, column) => {
        const state = runState(status)
        const took = durationMs === undefined ? '' : `, ${durationText(durationMs)}`
        const high = Math.round((heights[column] ?? 1) * barHeight)
        return (
          <th
            key={dagRunId}
            scope="col"
            class={column === hovered ? 'run-grid-cell run-grid-hovered' : 'run-grid-cell'}
          >
            <a
              class="run-grid-head"
              href={links.run(name, dagRunId)}
              aria-label={`${stateWord(state)} ${dagRunId}`}
              title={`${stateWord(state)}${took}`}
              tabIndex={column === runs.length - 1 ? 0 : -1}
            >
              <svg class="run-grid-bar" viewBox={`0 0 12 ${barHeight}`} aria-hidden="true">
                <rect class={`run-grid-${state}`} x="2" y={barHeight - high} width="8" height={high} rx="1" />
              </svg>
            </a>
          </th>
        )
      })}
    </>
  )
}
