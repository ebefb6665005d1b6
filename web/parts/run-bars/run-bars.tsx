import { useData } from '../../data/page-data.ts'
import { barHeights } from '../../model/bar-height.ts'
import { durationText } from '../../model/durations.ts'
import { runState, stateWord } from '../../model/states.ts'

export interface BarRun {
  readonly dagRunId: string
  /** Code of the API. */
  readonly status: number
  readonly durationMs?: number
}

/** Height of a bar in pixels. */
const barHeight = 24
const barWidth = 7
const barGap = 2

interface Props {
  readonly dagName: string
  /** Newest first, as the API has them. */
  readonly runs: readonly BarRun[]
}

/** The last runs as bars, the newest on the right: colour and notch show the state, the height the duration. */
export function RunBars({ dagName, runs }: Props) {
  const { links } = useData()
  const shown = runs.toReversed()
  const heights = barHeights(shown.map(({ durationMs }) => durationMs))
  return (
    <span class="run-bars">
      {shown.map(({ dagRunId, status, durationMs }, index) => {
        const state = runState(status)
        const took = durationMs === undefined ? '' : `, ${durationText(durationMs)}`
        return (
          <a
            key={dagRunId}
            class="run-bars-link"
            href={links.run(dagName, dagRunId)}
            aria-label={`${stateWord(state)} ${dagRunId}`}
            title={`${stateWord(state)}${took}`}
            // A single Tab stop; the arrow keys move on from there.
            tabIndex={index === shown.length - 1 ? 0 : -1}
            onKeyDown={moveAlong}
          >
            <svg
              viewBox={`0 0 ${barWidth} ${barHeight}`}
              class={`run-bars-bar run-bars-${state}`}
              aria-hidden="true"
            >
              <Bar height={Math.round((heights[index] ?? 1) * barHeight)} isFailed={state === 'failed'} />
            </svg>
          </a>
        )
      })}
    </span>
  )
}

/** A failed run has a notch at the top, for users who cannot see its colour. */
function Bar({ height, isFailed }: { readonly height: number; readonly isFailed: boolean }) {
  const top = barHeight - height
  const right = barWidth - barGap
  const notch = isFailed ? `V${top}L${right / 2} ${top + 3}L${right} ${top}` : `V${top}H${right}`
  return <path d={`M0 ${barHeight}${notch}V${barHeight}z`} />
}

function moveAlong(event: KeyboardEvent): void {
  const link = event.currentTarget as HTMLElement
  const next =
    event.key === 'ArrowLeft'
      ? link.previousElementSibling
      : event.key === 'ArrowRight'
        ? link.nextElementSibling
        : null
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}
