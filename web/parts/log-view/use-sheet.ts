import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isAdrift, scrollTopAt, sheetTop, type Sheet } from '../../model/rows-in-view.ts'

/** Milliseconds without a move after which scrolling has stopped, in browsers without an event for it. */
const restMs = 600

/** A sheet of rows that may be far higher than the area that scrolls it. */
export interface MovedSheet {
  readonly top: number
  readonly moveTo: (top: number) => void
  /** @returns where the sheet moved; undefined when it did not */
  readonly onScroll: () => { readonly top: number; readonly isUp: boolean } | undefined
  /**
   * Called when scrolling stops. Small moves take the sheet less far than the area, which is now aligned. Doing so
   * earlier would interrupt scrolling by keyboard.
   */
  readonly onScrollEnd: () => void
}

export function useSheet(area: RefObject<HTMLElement | null>, sheet: Sheet): MovedSheet {
  const before = useRef({ top: 0, scrollTop: 0 })
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const [top, setTop] = useState(0)
  useEffect(() => () => clearTimeout(resting.current), [])

  const moveTo = (wanted: number): void => {
    setTop(wanted)
    if (area.current !== null) area.current.scrollTop = scrollTopAt(sheet, wanted)
    // Read back, because the browser clamps the position, which is not a move of the user.
    before.current = { top: wanted, scrollTop: area.current?.scrollTop ?? 0 }
  }
  const onScrollEnd = (): void => {
    if (isAdrift(sheet, before.current)) moveTo(before.current.top)
  }
  return {
    top,
    moveTo,
    onScrollEnd,
    onScroll() {
      const scrollTop = area.current?.scrollTop ?? 0
      if (Math.abs(scrollTop - before.current.scrollTop) < 1) return undefined
      const next = sheetTop(sheet, before.current, scrollTop)
      const isUp = next < before.current.top
      before.current = { top: next, scrollTop }
      setTop(next)
      clearTimeout(resting.current)
      if (!('onscrollend' in window)) resting.current = setTimeout(onScrollEnd, restMs)
      return { top: next, isUp }
    },
  }
}
