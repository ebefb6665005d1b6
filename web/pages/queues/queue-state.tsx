import { StateMark } from '../../parts/state-mark/state-mark.tsx'
import type { QueueFacts } from './queue-answer.ts'

/** Open, full or paused. */
export function QueueState({ queue }: { readonly queue: Pick<QueueFacts, 'paused' | 'used' | 'limit'> }) {
  const { paused, used, limit } = queue
  const word = paused ? 'paused' : used >= limit ? 'full' : 'open'
  const mark = paused ? 'cancelled' : used >= limit ? 'queued' : 'success'
  return (
    <span class="state-sign">
      <StateMark state={mark} />
      {word}
    </span>
  )
}
