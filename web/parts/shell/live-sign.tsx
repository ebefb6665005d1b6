import { useData } from '../../data/page-data.ts'

/** Whether the data on the page is live. */
export function LiveSign() {
  const { isReached, live } = useData()
  const word = !isReached.value ? 'offline' : live.isLive.value ? 'live' : 'polling'
  return (
    <span class={`live-sign live-sign-${word}`} role="status" aria-label="Live">
      <span aria-hidden="true" class="live-sign-dot" />
      <span class="live-sign-word">{word}</span>
    </span>
  )
}
