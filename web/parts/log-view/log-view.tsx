import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../../controls/notice/notice.tsx'
import type { LineRange } from '../../model/log-window.ts'
import { rowsInView } from '../../model/rows-in-view.ts'
import { Failure, Loading } from '../load-state/load-state.tsx'
import { LogLine } from './log-line.tsx'
import type { LogPages } from './log-pages.ts'
import { useSheet } from './use-sheet.ts'
import { watchHeight } from './watch-height.ts'

const rowHeight = 18

interface Props {
  readonly pages: LogPages
  readonly isFollowing: boolean
  readonly isWrapped: boolean
  /** The lines that the address names. */
  readonly marked: LineRange | undefined
  readonly onMark: (line: number, isRange: boolean) => void
  /** The user scrolled up, or to the end. */
  readonly onScrolled: (isAtEnd: boolean) => void
}

/**
 * A log of any length: only the lines in view are on the page. They lie on a layer that stays in place while the
 * scroll area moves below it.
 */
export function LogView({ pages, isFollowing, isWrapped, marked, onMark, onScrolled }: Props) {
  const area = useRef<HTMLDivElement>(null)
  const [viewHeight, setViewHeight] = useState(600)
  const rows = pages.total.value ?? 0
  const sheet = { rows, rowHeight, viewHeight }
  const { top, moveTo, onScroll, onScrollEnd } = useSheet(area, sheet)
  const { space, first, count, cut } = rowsInView(sheet, top)
  const isAtEnd = top >= rows * rowHeight - viewHeight - rowHeight
  void pages.version.value

  useEffect(() => watchHeight(area.current, setViewHeight), [rows > 0])
  useLayoutEffect(() => {
    if (isFollowing) moveTo(Math.max(0, rows * rowHeight - viewHeight))
  }, [isFollowing, rows, viewHeight])
  useEffect(() => {
    const isInView = marked !== undefined && marked.first >= first && marked.first < first + count - 2
    if (marked !== undefined && rows > 0 && !isInView) moveTo(Math.max(0, (marked.first - 5) * rowHeight))
  }, [marked?.first, rows > 0])
  useEffect(() => pages.want(first, count), [pages, first, count, rows])

  const onMoved = (): void => {
    const moved = onScroll()
    if (moved === undefined) return
    if (moved.isUp || moved.top >= rows * rowHeight - viewHeight - 1) onScrolled(!moved.isUp)
  }

  if (pages.error.value !== undefined && rows === 0) {
    return <Failure error={pages.error.value} what="Cannot read the log" again={() => void pages.readOn()} />
  }
  if (pages.total.value === undefined) return <Loading rows={10} />
  if (rows === 0) return <Notice title="Nothing was written here" />
  const kind = `log-view-layer${isWrapped ? ' log-view-wrapped' : ''}${isAtEnd ? ' log-view-at-end' : ''}`
  return (
    <div
      ref={area}
      class="log-view"
      role="region"
      aria-label="Log"
      tabIndex={0}
      onScroll={onMoved}
      onScrollEnd={onScrollEnd}
    >
      <div class="log-view-space" style={{ blockSize: `${Math.max(space, viewHeight)}px` }}>
        <div class={kind} style={{ blockSize: `${viewHeight}px` }}>
          <div class="log-view-lines" style={isWrapped ? {} : { translate: `0 ${-cut}px` }}>
            {Array.from({ length: count }, (_, index) => first + index).map((index) => (
              <LogLine
                key={index}
                index={index}
                text={pages.line(index)}
                missing={pages.missing(index)}
                isMarked={marked !== undefined && index >= marked.first && index <= marked.last}
                onMark={onMark}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}
