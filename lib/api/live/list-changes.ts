import type { Tagged } from './shared-poll.ts'

/** The first page of a list, or numbers about one. The tag is the entity tag of the answer that has it. */
export interface ListState extends Tagged {
  /** Key → row as JSON, in the order of the page. Absent: changes are reported as a whole. */
  readonly rows?: ReadonlyMap<string, string>
  /** What the answer has beside its rows, as JSON; where it matters to who shows them. */
  readonly rest?: string
  /** Whether new rows come before all others. */
  readonly isNewestFirst?: boolean
  /** Sent instead of `reset` if it is short. */
  readonly counts?: object
}

type RowEvent = 'dag' | 'dag-state' | 'run'

export interface ListEvent {
  readonly event: RowEvent | 'counts' | 'reset' | 'same'
  readonly data: unknown
}

/** A topic as callers name it, and the event with one of its rows. */
export interface RowTopic {
  readonly topic: string
  readonly event: RowEvent
}

/** What a client must do whose state of the list is unknown. */
export const wholeOf = ({ counts }: ListState, { topic }: RowTopic): ListEvent =>
  counts === undefined ? { event: 'reset', data: { topic } } : { event: 'counts', data: counts }

/**
 * The changes from one state of a list to the next: changed rows, and new ones at the top, oldest first. For
 * everything else the list must be read again. Rows that new ones pushed off the page are not reported.
 */
export function listChanges(before: ListState, after: ListState, topic: RowTopic): ListEvent[] {
  if (before.tag === after.tag) return []
  if (before.rows === undefined || after.rows === undefined || before.rest !== after.rest) {
    return [wholeOf(after, topic)]
  }
  const [old, rows] = [before.rows, after.rows]
  const fresh = [...rows.keys()].filter((key) => !old.has(key))
  if (!isContinued([...old.keys()], [...rows.keys()], fresh.length)) return [wholeOf(after, topic)]
  if (fresh.length > 0 && after.isNewestFirst !== true) return [wholeOf(after, topic)]
  const changed = [...rows.keys()].filter((key) => old.has(key) && old.get(key) !== rows.get(key))
  return [...changed, ...fresh.toReversed()].map((key) => ({
    event: topic.event,
    data: JSON.parse(rows.get(key) ?? '') as unknown,
  }))
}

/** Whether the new keys are the old ones behind `freshCount` others; the last ones may be missing for them. */
function isContinued(old: readonly string[], now: readonly string[], freshCount: number): boolean {
  const kept = now.slice(freshCount)
  return kept.length >= old.length - freshCount && kept.every((key, index) => key === old[index])
}
