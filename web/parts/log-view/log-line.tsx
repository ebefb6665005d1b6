import { LogText } from './log-text.tsx'

interface Props {
  /** Counted from 0. */
  readonly index: number
  /** Undefined: it is being read. */
  readonly text: string | undefined
  readonly missing: number
  readonly isMarked: boolean
  /** @param isRange all lines up to this one are meant */
  readonly onMark: (line: number, isRange: boolean) => void
}

/** A line of a log with its number, which links to it. */
export function LogLine({ index, text, missing, isMarked, onMark }: Props) {
  return (
    <div class={isMarked ? 'log-view-line log-view-marked' : 'log-view-line'}>
      <a
        class="log-view-number"
        href={`#L${index + 1}`}
        tabIndex={-1}
        aria-label={`Line ${index + 1}`}
        onClick={(event) => {
          event.preventDefault()
          onMark(index, event.shiftKey)
        }}
      >
        {index + 1}
      </a>
      <span class="log-view-text" dir="auto">
        {text === undefined ? '' : <LogText line={text} missing={missing} />}
      </span>
    </div>
  )
}
