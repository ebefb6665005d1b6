import { useData } from '../../data/page-data.ts'

/** Whether what the page shows is fresh. */
export function LiveSign() {
  const { isReached } = useData()
  const word = isReached.value ? 'polling' : 'offline'
  return (
    <span class={`live-sign live-sign-${word}`} role="status" aria-label="Live">
      <span aria-hidden="true" class="live-sign-dot" />
      {word}
    </span>
  )
}
