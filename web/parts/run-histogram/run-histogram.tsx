import { useState } from 'preact/hooks'
import { useMoment } from '../../controls/time/use-moment.ts'
import { piecesOf, histogramText, type Bucket } from '../../model/run-histogram.ts'
import { rangeBetween } from '../../model/run-range.ts'

interface Range {
  readonly from: number
  readonly to: number
}

interface Props {
  readonly buckets: readonly Bucket[]
  /** Seconds since 1970. */
  readonly range: Range
  readonly onRange: (range: Range) => void
}

/** Pixels of the drawing, which is stretched to the width that there is. */
const [width, height] = [960, 64]

/** The number of runs over time, by state. A press on a bar, or a drag over several, narrows the range. */
export function RunHistogram({ buckets, range, onRange }: Props) {
  const moment = useMoment('short')
  const [brush, setBrush] = useState<readonly [number, number]>()
  const start = (event: PointerEvent): void => {
    if (event.button !== 0) return
    ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
    setBrush([partOf(event), partOf(event)])
  }
  const move = (event: PointerEvent): void => setBrush((at) => at && [at[0], partOf(event)])
  const end = (event: PointerEvent): void => {
    if (brush !== undefined) onRange(rangeBetween(range, brush[0], partOf(event)))
    setBrush(undefined)
  }
  return (
    <figure class="run-histogram">
      <div
        class="run-histogram-area"
        role="presentation"
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setBrush(undefined)}
      >
        <svg
          class="run-histogram-bars"
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Histogram"
          aria-describedby="run-histogram-text"
        >
          {piecesOf(buckets).map((piece) => (
            <rect
              key={`${piece.left} ${piece.state}`}
              class={`run-histogram-piece run-histogram-${piece.state}`}
              x={piece.left * width + 0.5}
              y={piece.top * height}
              width={Math.max(1, piece.width * width - 1)}
              height={piece.height * height}
            />
          ))}
          {brush !== undefined && <Brush from={Math.min(...brush)} to={Math.max(...brush)} />}
        </svg>
      </div>
      <figcaption class="run-histogram-text">
        <time dateTime={new Date(range.from * 1000).toISOString()}>{moment(range.from * 1000)}</time>
        <span id="run-histogram-text">{histogramText(buckets, (at) => moment(Date.parse(at)))}</span>
        <time dateTime={new Date(range.to * 1000).toISOString()}>{moment(range.to * 1000)}</time>
      </figcaption>
    </figure>
  )
}

/** Where in its area the pointer is, 0 to 1. */
function partOf(event: PointerEvent): number {
  const { left, width: all } = (event.currentTarget as HTMLElement).getBoundingClientRect()
  return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, all)))
}

function Brush({ from, to }: { readonly from: number; readonly to: number }) {
  return (
    <rect
      class="run-histogram-brush"
      x={from * width}
      y={0}
      width={Math.max(1, (to - from) * width)}
      height={height}
    />
  )
}
