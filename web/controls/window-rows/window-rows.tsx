import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { windowRows } from '../../model/window-rows.ts'

interface Props {
  readonly rows: number
  readonly columns: number
  /** Until a row has been measured; all rows are of one height. */
  readonly rowHeight: number
  /** Renders a row with `data-row`: the same vnode for the same row, so that scrolling renders only new rows. */
  readonly draw: (row: number) => VNode
}

/** The body of a table that scrolls with the page and contains only the rows near the viewport. */
export function WindowRows({ rows, columns, rowHeight: usual, draw }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [rowHeight, setRowHeight] = useState(usual)
  const [top, setTop] = useState(0)
  const [viewHeight, setViewHeight] = useState(innerHeight)
  const [kept, setKept] = useState<number>()
  useEffect(() => {
    let isAsked = false
    const look = (): void => {
      isAsked = false
      setTop(Math.floor(-(body.current?.getBoundingClientRect().top ?? 0) / usual) * usual)
      setViewHeight(innerHeight)
    }
    const onMove = (): void => {
      if (!isAsked) requestAnimationFrame(look)
      isAsked = true
    }
    look()
    addEventListener('scroll', onMove, { passive: true })
    addEventListener('resize', onMove)
    return () => {
      removeEventListener('scroll', onMove)
      removeEventListener('resize', onMove)
    }
  }, [])
  useLayoutEffect(() => {
    // The first row of a table has half a border more than the others.
    const row = body.current?.querySelector('[data-row] + [data-row]')
    const height = row?.getBoundingClientRect().height ?? 0
    if (height > 0 && Math.abs(height - rowHeight) >= 0.1) setRowHeight(height)
  })
  return (
    <tbody
      ref={body}
      onFocusIn={(event) => setKept(rowOf(event.target))}
      onFocusOut={() => setKept(undefined)}
    >
      {windowRows({ rows, rowHeight, top, viewHeight, kept }).map((piece, index) =>
        'row' in piece ? (
          draw(piece.row)
        ) : (
          <tr key={`gap ${index === 0 ? 'before' : index}`} aria-hidden="true">
            <td colSpan={columns} style={{ height: `${piece.gap}px` }}>
              {'\u00a0'}
            </td>
          </tr>
        ),
      )}
    </tbody>
  )
}

function rowOf(target: EventTarget | null): number | undefined {
  const row =
    target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined
  return row === undefined ? undefined : Number(row)
}
