import type { ReadonlySignal } from '@preact/signals'
import { useContext } from 'preact/hooks'
import { TimeContext, useMoment } from './use-moment.ts'
import { distanceText, durationText } from '../../model/durations.ts'

/** A time relative to now with the exact time as its title, or the exact time if the user prefers that. */
export function Ago({ at, now }: { readonly at: number | undefined; readonly now: ReadonlySignal<number> }) {
  const { isExact } = useContext(TimeContext)
  const moment = useMoment('long')
  const short = useMoment('medium')
  if (at === undefined) return <span class="quiet">–</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {isExact ? short(at) : distanceText(at, now.value)}
    </time>
  )
}

interface TookProps {
  readonly startedAt: number | undefined
  /** Undefined: it continues. */
  readonly ms: number | undefined
  readonly isOver: boolean
  readonly now: ReadonlySignal<number>
}

/** How long something took, or has taken until now. */
export function Took({ startedAt, ms, isOver, now }: TookProps) {
  const taken = ms ?? (isOver || startedAt === undefined ? undefined : Math.max(0, now.value - startedAt))
  return taken === undefined ? <span class="quiet">–</span> : <span class="took">{durationText(taken)}</span>
}
