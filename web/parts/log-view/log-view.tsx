import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../../controls/notice/notice.tsx'
import { rowsInView, scrollTopAt, sheetTop } from '../../model/rows-in-view.ts'
import { Failure, Loading } from '../load-state/load-state.tsx'
import type { LogPages } from './log-pages.ts'
import { LogText } from './log-text.tsx'

const rowHeight = 18

interface Props {
  readonly pages: LogPages
  readonly isFollowing: boolean
  readonly isWrapped: boolean
  /** The line that the address names, counted from 0. */
  readonly marked: number | undefined
  readonly onMark: (line: number) => void
  /** Somebody scrolled: up, or to the end. */
  readonly onScrolled: (isAtEnd: boolean) => void
}

/**
 * A log of any length: only the lines in view are on the page. They lie on a layer that stays in place while the
 * scroll area moves below it.
 */
export function LogView({ pages, isFollowing, isWrapped, marked, onMark, onScrolled }: Props) {
  const area = useRef<HTMLDivElement>(null)
  const before = useRef({ top: 0, scrollTop: 0 })
  const [top, setTop] = useState(0)
  const [viewHeight, setViewHeight] = useState(600)
  const rows = pages.total.value ?? 0
  const sheet = { rows, rowHeight, viewHeight }
  const { space, first, count, cut } = rowsInView(sheet, top)
  const isAtEnd = top >= rows * rowHeight - viewHeight - rowHeight
  void pages.version.value

  const moveTo = (wanted: number): void => {
    setTop(wanted)
    if (area.current !== null) area.current.scrollTop = scrollTopAt(sheet, wanted)
    // As the browser has it: it keeps the area within its bounds, which is no move of somebody.
    before.current = { top: wanted, scrollTop: area.current?.scrollTop ?? 0 }
  }
  useEffect(() => watchHeight(area.current, setViewHeight), [rows > 0])
  useLayoutEffect(() => {
    if (isFollowing) moveTo(Math.max(0, rows * rowHeight - viewHeight))
  }, [isFollowing, rows, viewHeight])
  useEffect(() => {
    if (marked !== undefined && rows > 0) moveTo(Math.max(0, (marked - 5) * rowHeight))
  }, [marked, rows > 0])
  useEffect(() => pages.want(first, count), [pages, first, count, rows])

  const onScroll = (): void => {
    const scrollTop = area.current?.scrollTop ?? 0
    if (Math.abs(scrollTop - before.current.scrollTop) < 1) return
    const next = sheetTop(sheet, before.current, scrollTop)
    const isUp = next < before.current.top
    before.current = { top: next, scrollTop }
    setTop(next)
    if (isUp || next >= rows * rowHeight - viewHeight - 1) onScrolled(!isUp)
  }

  if (pages.error.value !== undefined && rows === 0) {
    return <Failure error={pages.error.value} what="Cannot read the log" again={() => void pages.readOn()} />
  }
  if (pages.total.value === undefined) return <Loading rows={10} />
  if (rows === 0) return <Notice title="Nothing was written here" />
  const kind = `log-view-layer${isWrapped ? ' log-view-wrapped' : ''}${isAtEnd ? ' log-view-at-end' : ''}`
  return (
    <div ref={area} class="log-view" role="region" aria-label="Log" tabIndex={0} onScroll={onScroll}>
      <div class="log-view-space" style={{ blockSize: `${Math.max(space, viewHeight)}px` }}>
        <div class={kind} style={{ blockSize: `${viewHeight}px` }}>
          <div class="log-view-lines" style={isWrapped ? {} : { translate: `0 ${-cut}px` }}>
            {Array.from({ length: count }, (_, index) => first + index).map((index) => (
              <Line
                key={index}
                index={index}
                text={pages.line(index)}
                isMarked={index === marked}
                onMark={onMark}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

interface LineProps {
  readonly index: number
  /** Undefined: it is being read. */
  readonly text: string | undefined
  readonly isMarked: boolean
  readonly onMark: (line: number) => void
}

function Line({ index, text, isMarked, onMark }: LineProps) {
  const onClick = (event: MouseEvent): void => {
    event.preventDefault()
    onMark(index)
  }
  return (
    <div class={isMarked ? 'log-view-line log-view-marked' : 'log-view-line'}>
      <a
        class="log-view-number"
        href={`#L${index + 1}`}
        tabIndex={-1}
        aria-label={`Line ${index + 1}`}
        onClick={onClick}
      >
        {index + 1}
      </a>
      <span class="log-view-text" dir="auto">
        {text === undefined ? '' : <LogText line={text} />}
      </span>
    </div>
  )
}

function watchHeight(area: HTMLElement | null, onHeight: (height: number) => void): () => void {
  if (area === null) return () => undefined
  const observer = new ResizeObserver(() => onHeight(area.clientHeight))
  observer.observe(area)
  return () => observer.disconnect()
}
