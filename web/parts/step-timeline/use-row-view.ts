import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { rowsInView } from '../../model/rows-in-view.ts'
import type { TimelineRow } from '../../model/timeline-rows.ts'

/** Pixels, as in the style sheet. */
const rowHeight = 32
const axisHeight = 24
/** Extra rows rendered above and below the view. */
const spare = 4

export interface RowView {
  /** The rendered rows: those in view, and the focused one. */
  readonly indices: readonly number[]
  /** The row that is the Tab stop. */
  readonly stop: number
  readonly setStop: (key: string) => void
  /** Focuses a row and scrolls it into view. */
  readonly goTo: (index: number) => void
  readonly onScroll: () => void
}

/**
 * Which rows of the timeline are rendered.
 * @param named the step in the URL, which is scrolled into view
 */
export function useRowView(
  grid: { readonly current: HTMLElement | null },
  rows: readonly TimelineRow[],
  named: string | undefined,
): RowView {
  const [top, setTop] = useState(0)
  const [viewHeight, setViewHeight] = useState(600)
  const [stopKey, setStop] = useState('')
  const wantsFocus = useRef(false)
  const stop = Math.max(
    0,
    rows.findIndex(({ key }) => key === stopKey),
  )
  useEffect(() => {
    const area = grid.current
    if (area === null) return undefined
    const observer = new ResizeObserver(() => setViewHeight(area.clientHeight))
    observer.observe(area)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    grid.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus({ preventScroll: true })
  })
  const { first, count } = rowsInView({ rows: rows.length, rowHeight, viewHeight }, top)
  const from = Math.max(0, first - spare)
  const to = Math.min(rows.length, first + count + spare)
  const inView = Array.from({ length: to - from }, (_, index) => from + index)
  const reveal = (index: number): void => {
    const area = grid.current
    if (area === null || index < 0) return
    setStop(rows[index]?.key ?? '')
    const lowest = index * rowHeight
    const highest = lowest + rowHeight + axisHeight - area.clientHeight
    area.scrollTop = Math.max(highest, Math.min(lowest, area.scrollTop))
    setTop(Math.floor(area.scrollTop / rowHeight) * rowHeight)
  }
  const goTo = (index: number): void => {
    wantsFocus.current = true
    reveal(index)
  }
  useEffect(() => reveal(rows.findIndex(({ key }) => key === named)), [named])
  return {
    indices: stop >= from && stop < to ? inView : [...inView, stop],
    stop,
    setStop,
    goTo,
    // Whole rows only: within a row, the browser scrolls by itself.
    onScroll: () => setTop(Math.floor((grid.current?.scrollTop ?? 0) / rowHeight) * rowHeight),
  }
}
