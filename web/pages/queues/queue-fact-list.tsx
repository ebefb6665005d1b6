import { Ago } from '../../controls/time/time.tsx'
import { UsedBar } from '../../controls/used-bar/used-bar.tsx'
import { useData } from '../../data/page-data.ts'
import { instantOf } from '../../model/durations.ts'
import { OldestWait } from './oldest-wait.tsx'
import type { QueueFacts } from './queue-answer.ts'
import { QueueState } from './queue-state.tsx'

/** How full a queue is, and its settings. */
export function QueueFactList({ queue }: { readonly queue: QueueFacts }) {
  const { now } = useData()
  const { pausedAt, pausedBy, limitOverride, waiting, startsLastHour } = queue
  return (
    <ul class="queue-page-facts" aria-label="Facts">
      <li>
        <QueueState queue={queue} />
      </li>
      <li>
        <UsedBar used={queue.used} of={queue.limit} />
      </li>
      <li>
        {waiting} waiting
        {waiting > 0 && (
          <>
            , the oldest for <OldestWait queue={queue} />
          </>
        )}
      </li>
      <li>{startsLastHour} started in 1 h</li>
      {pausedAt !== undefined && (
        <li>
          paused{by(pausedBy)} <Ago at={instantOf(pausedAt)} now={now} />
        </li>
      )}
      {limitOverride !== undefined && (
        <li>
          limit set{by(limitOverride.setBy)} <Ago at={instantOf(limitOverride.setAt)} now={now} />
          {limitOverride.configuredLimit !== undefined &&
            `; the settings say ${limitOverride.configuredLimit}`}
        </li>
      )}
    </ul>
  )
}

const by = (name: string | undefined): string => (name ? ` by ${name}` : '')
