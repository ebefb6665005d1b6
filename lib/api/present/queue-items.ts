import type { InferOutput } from 'valibot'
import type { QueueItems as Page } from '#lib/queues/list-queue-items.ts'
import type { Reason } from '#lib/runs/explain/explain-run.ts'
import type { QueueItems } from '../schemas/queue.ts'
import type { Presentation } from './presentation.ts'
import { presentReason } from './reasons.ts'
import { presentRunFacts } from './run-facts.ts'
import { presentRunSummary } from './run-summary.ts'

/** @param why the first one waits, if it is shown */
export function presentQueueItems(
  { items, next }: Page,
  why: Reason | undefined,
  presentation: Presentation,
): InferOutput<typeof QueueItems> {
  return {
    items: items.map(({ run, position, waitedMs, priority }) => ({
      ...presentRunSummary(run, presentation),
      ...presentRunFacts(run),
      ...(position !== undefined && { position }),
      ...(waitedMs !== undefined && { waitedMs }),
      priority,
    })),
    ...(next !== undefined && { nextCursor: next }),
    ...(why !== undefined && { why: presentReason(why) }),
  }
}
