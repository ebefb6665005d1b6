import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { GraphItem } from '../../model/graph-items.ts'
import { boxHeight, boxWidth, type GraphLayout } from '../../model/layered-layout.ts'
import { readColours } from './graph-colours.ts'
import type { GraphLens } from './use-graph-view.ts'

interface Props {
  readonly layout: GraphLayout
  readonly items: readonly GraphItem[]
  readonly lens: GraphLens
  readonly samples: RefObject<HTMLDivElement | null>
}

const width = 180
const height = 110

/** A map of a large graph in the corner, which shows the viewport. A press moves there; keyboards use the arrows. */
export function GraphMap({ layout, items, lens: { view, size, change }, samples }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scale = Math.min(width / layout.width, height / layout.height)
  useLayoutEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (!pen || samples.current === null) return
    const colours = readColours(samples.current)
    pen.clearRect(0, 0, width, height)
    const isFailed = (item: GraphItem | undefined): number => Number(item?.state === 'failed')
    const order = items.map((_, box) => box).toSorted((a, b) => isFailed(items[a]) - isFailed(items[b]))
    for (const box of order) {
      pen.fillStyle = items[box]?.state === undefined ? colours.quiet : colours.fillOf(items[box].state)
      const least = isFailed(items[box]) === 1 ? 3 : 1
      pen.fillRect(
        (layout.corners[box * 2] ?? 0) * scale,
        (layout.corners[box * 2 + 1] ?? 0) * scale,
        Math.max(least, boxWidth * scale),
        Math.max(least, boxHeight * scale),
      )
    }
  }, [layout, items, scale])
  const onClick = (event: MouseEvent): void => {
    const x = event.offsetX / scale
    const y = event.offsetY / scale
    change((now) => ({ ...now, x: size.width / 2 - x * now.scale, y: size.height / 2 - y * now.scale }))
  }
  const frame = {
    insetInlineStart: `${(-view.x / view.scale) * scale}px`,
    insetBlockStart: `${(-view.y / view.scale) * scale}px`,
    inlineSize: `${(size.width / view.scale) * scale}px`,
    blockSize: `${(size.height / view.scale) * scale}px`,
  }
  return (
    <div class="step-graph-map" aria-hidden="true" onClick={onClick}>
      <canvas ref={canvas} width={width} height={height} />
      <span class="step-graph-frame" style={frame} />
    </div>
  )
}
