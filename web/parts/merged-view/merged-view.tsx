import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import type { RunAddress } from '../../model/links.ts'
import type { MergedLine } from '../../model/merged-lines.ts'
import { rowsInView } from '../../model/rows-in-view.ts'
import { LogText } from '../log-view/log-text.tsx'
import { useSheet } from '../log-view/use-sheet.ts'
import { watchHeight } from '../log-view/watch-height.ts'

const rowHeight = 18

interface Props {
  readonly run: RunAddress
  readonly lines: readonly MergedLine[]
  readonly isFollowing: boolean
  /** The user scrolled up, or to the end. */
  readonly onScrolled: (isAtEnd: boolean) => void
}

/** Lines of several logs in the order of time, each with its step, which leads to the line in its own log. */
export function MergedView({ run, lines, isFollowing, onScrolled }: Props) {
  const area = useRef<HTMLDivElement>(null)
  const [viewHeight, setViewHeight] = useState(600)
  const rows = lines.length
  const sheet = { rows, rowHeight, viewHeight }
  const { top, moveTo, onScroll, onScrollEnd } = useSheet(area, sheet)
  const { space, first, count, cut } = rowsInView(sheet, top)
  useEffect(() => watchHeight(area.current, setViewHeight), [])
  useLayoutEffect(() => {
    if (isFollowing) moveTo(Math.max(0, rows * rowHeight - viewHeight))
  }, [isFollowing, rows, viewHeight])
  const onMoved = (): void => {
    const moved = onScroll()
    if (moved === undefined) return
    if (moved.isUp || moved.top >= rows * rowHeight - viewHeight - 1) onScrolled(!moved.isUp)
  }
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
        <div class="log-view-layer" style={{ blockSize: `${viewHeight}px` }}>
          <div class="log-view-lines" style={{ translate: `0 ${-cut}px` }}>
            {lines.slice(first, first + count).map((line, index) => (
              <Line key={first + index} run={run} line={line} />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

function Line({ run, line }: { readonly run: RunAddress; readonly line: MergedLine }) {
  const { links } = useData()
  const { step, stream, at, text, missing = 0 } = line
  return (
    <div class="log-view-line">
      <time class="merged-view-time" dateTime={new Date(at).toISOString()}>
        {clockText(at)}
      </time>
      <a
        class="merged-view-step"
        title={`${step}, ${stream}`}
        href={links.log(run, { step, stream, line: line.line })}
      >
        {stream === 'stderr' ? `${step} !` : step}
      </a>
      <span class="log-view-text" dir="auto">
        <LogText line={text} missing={missing} />
      </span>
    </div>
  )
}

/** The time of day to the second, because logs are not more precise. */
const clockText = (at: number): string => {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
