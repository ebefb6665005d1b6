import type { InferOutput } from 'valibot'
import { isFinalRun } from '#lib/core/status.ts'
import type { RunState } from '#lib/runs/read/load-run.ts'
import { addressOf, type RunRecord } from '#lib/runs/read/run-record.ts'
import type { RunWatch } from '#lib/runs/read/run-watch.ts'
import { NoContent } from '#lib/api/define-route.ts'
import { EventStream, type ServerEvent } from './event-stream.ts'
import { poll } from './poll.ts'
import type { Presentation } from '#lib/api/present/presentation.ts'
import { presentRun } from '#lib/api/present/run.ts'
import type { RunDetails } from '#lib/api/schemas/run.ts'
import { viewed, type View } from '#lib/api/auth/shown-to.ts'
import { textDigest } from '#lib/api/answers/text-digest.ts'

type Details = InferOutput<typeof RunDetails>

/** Digest of the state of a run. All instances compute the same one. */
function stateId(details: Details): string {
  return textDigest(JSON.stringify(details))
}

/** Whether a client that has seen this state has seen everything: the run is over. */
function hasSeenEnd(state: RunState, presentation: Presentation, seen: string | null): boolean {
  return isFinalRun(state.run.status) && stateId(presentRun(state, presentation)) === seen
}

/**
 * Streams a run. Events: first `state` (the whole run), then `step` and `run` as they change, and `end`.
 * @param seen id of the last event that the client received; nothing is repeated
 * @returns no content when that was the end
 */
export async function followRun(
  { watch, logs, labels, view }: { readonly watch: RunWatch; readonly view: View } & Presentation,
  run: RunRecord,
  seen: string | null,
): Promise<EventStream | NoContent> {
  const index = addressOf(run)
  const state = viewed(await watch.state(index), view)
  if (hasSeenEnd(state, { logs, labels }, seen)) return new NoContent()
  return new EventStream(async function* (signal) {
    let known: Details | undefined
    let lastId = seen ?? ''
    const look = async () => {
      const state = viewed(await watch.state(index), view)
      const details = presentRun(state, { logs, labels })
      const id = stateId(details)
      const isNew = id !== lastId
      return { found: { state, details, id, isNew }, hasChanged: () => isNew }
    }
    for await (const { state, details, id, isNew } of poll(look, signal)) {
      if (isNew) {
        // Only the last event of a change carries the new id, so a client that missed some of them gets them again.
        const events = known === undefined ? [whole(details)] : changes(known, details)
        yield* events.map((event, index) => ({ ...event, id: index === events.length - 1 ? id : lastId }))
      }
      known = details
      lastId = id
      if (isFinalRun(state.run.status)) {
        yield { id, event: 'end', data: { status: details.status, statusLabel: details.statusLabel } }
        return
      }
    }
  })
}

type Told = Omit<ServerEvent, 'id'>

const whole = (details: Details): Told => ({ event: 'state', data: details })

const handlers = ['onInit', 'onSuccess', 'onFailure', 'onCancel', 'onExit'] as const

function changes(before: Details, after: Details): Told[] {
  const nodes = (details: Details) => [...details.nodes, ...handlers.flatMap((name) => details[name] ?? [])]
  const known = new Map(nodes(before).map((node) => [node.step.name, JSON.stringify(node)]))
  const steps = nodes(after).filter((node) => known.get(node.step.name) !== JSON.stringify(node))
  const events: Told[] = steps.map((data) => ({ event: 'step', data }))
  const run = withoutSteps(after)
  if (JSON.stringify(run) !== JSON.stringify(withoutSteps(before))) events.push({ event: 'run', data: run })
  return events
}

const stepFields: ReadonlySet<string> = new Set(['nodes', ...handlers])

function withoutSteps(details: Details): object {
  return Object.fromEntries(Object.entries(details).filter(([field]) => !stepFields.has(field)))
}
