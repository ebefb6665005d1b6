import type { Signal } from '@preact/signals'
import type { ReceivedEvent } from '#lib/client/read-events.ts'

export type Topic = 'dags' | 'states' | 'runs' | 'queues' | 'workers' | 'overview'

export interface Listener {
  readonly onEvent: (event: ReceivedEvent) => void
  /** Whether the stream delivers changes; otherwise the data must be polled. */
  readonly isLive: Signal<boolean>
}

/** A list on the page. `reset`: it must be reloaded; all other events carry a row or numbers. */
export interface Followed extends Listener {
  readonly topic: Topic
  /** The query of the list. */
  readonly query: Readonly<Record<string, string | number | undefined>>
  /** Entity tag of the answer that is shown. */
  readonly tag: () => string
}
