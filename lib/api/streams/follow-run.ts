import { isFinalRun } from '#lib/core/status.ts'
import { addressOf, type RunRecord } from '#lib/runs/read/run-record.ts'
import type { RunWatch } from '#lib/runs/read/run-watch.ts'
import { NoContent } from '#lib/api/define-route.ts'
import { EventStream, type ServerEvent } from './event-stream.ts'
import { poll } from './poll.ts'
import type { Presentation } from '#lib/api/present/presentation.ts'
import { presentIn, type RunForm } from '#lib/api/present/run-form.ts'
import { viewed, type View } from '#lib/api/auth/shown-to.ts'
import { textDigest } from '#lib/api/answers/text-digest.ts'

type Details = ReturnType<(typeof presentIn)[RunForm]>

interface Followed extends Presentation {
  readonly watch: RunWatch
  readonly view: View
  readonly form: RunForm
}

/** Digest of the state of a run. All instances compute the same one. */
function stateId(details: Details): string {
  return textDigest(JSON.stringify(details))
}

/**
 * Streams a run. Events: first `state` (the whole run), then `step` and `run` as they change, and `end`. In outline the
 * first event of a client that knows the state is `same`, so it learns that the stream is open.
 * @param seen id of the last event that the client received, or the entity tag of an outline; nothing is repeated
 * @returns no content when that was the end
 */
export async function followRun(
  { watch, logs, labels, view, form }: Followed,
  run: RunRecord,
  seen: string | null,
): Promise<EventStream | NoContent> {
  const index = addressOf(run)
  const known = idOf(seen ?? '')
  const look = async () => {
    const state = viewed(await watch.state(index), view)
    const details = presentIn[form](state, { logs, labels })
    return { isOver: isFinalRun(state.run.status), details, id: stateId(details) }
  }
  const now = await look()
  if (now.isOver && now.id === known) return new NoContent()
  return new EventStream(async function* (signal) {
    let before: Details | undefined
    let lastId = known
    const lookAgain = async () => {
      const found = await look()
      const isNew = found.id !== lastId
      return { found: { ...found, isNew }, hasChanged: () => isNew }
    }
    for await (const { isOver, details, id, isNew } of poll(lookAgain, signal)) {
      const events = eventsOf({ before, details, isNew, form })
      // Only the last event of a change carries the new id, so a client that missed some of them gets them again.
      yield* events.map((event, index) => ({ ...event, id: index === events.length - 1 ? id : lastId }))
      before = details
      lastId = id
      if (isOver) {
        yield { id, event: 'end', data: { status: details.status, statusLabel: details.statusLabel } }
        return
      }
    }
  })
}

/** An entity tag may be written as its header has it. */
const idOf = (seen: string): string => seen.replace(/^W\/"(.*)"$/, '$1')

type EventBody = Omit<ServerEvent, 'id'>

interface Seen {
  readonly before: Details | undefined
  readonly details: Details
  readonly isNew: boolean
  readonly form: RunForm
}

function eventsOf({ before, details, isNew, form }: Seen): EventBody[] {
  if (isNew) return before === undefined ? [{ event: 'state', data: details }] : changes(before, details)
  return before === undefined && form === 'outline' ? [{ event: 'same', data: {} }] : []
}

const handlers = ['onInit', 'onSuccess', 'onFailure', 'onCancel', 'onExit'] as const

function changes(before: Details, after: Details): EventBody[] {
  const nodes = (details: Details) => [...details.nodes, ...handlers.flatMap((name) => details[name] ?? [])]
  const known = new Map(nodes(before).map((node) => [node.step.name, JSON.stringify(node)]))
  const steps = nodes(after).filter((node) => known.get(node.step.name) !== JSON.stringify(node))
  const events: EventBody[] = steps.map((data) => ({ event: 'step', data }))
  const run = withoutSteps(after)
  if (JSON.stringify(run) !== JSON.stringify(withoutSteps(before))) events.push({ event: 'run', data: run })
  return events
}

const stepFields: ReadonlySet<string> = new Set(['nodes', ...handlers])

function withoutSteps(details: Details): object {
  return Object.fromEntries(Object.entries(details).filter(([field]) => !stepFields.has(field)))
}
