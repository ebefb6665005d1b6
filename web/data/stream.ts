import { effect, type ReadonlySignal } from '@preact/signals'
import { readEvents, type ReceivedEvent } from '#lib/client/read-events.ts'
import { nextStream } from '../model/stream-pace.ts'
import { inSlot } from './stream-slots.ts'

export interface StreamSource {
  /** @param signal aborted when nobody needs the stream */
  readonly open: (signal: AbortSignal) => Promise<Response>
  readonly onEvent: (event: ReceivedEvent) => void
  /** Called at the end of each stream: until the next one, the data must be polled. */
  readonly onEnd: () => void
  /** Whether the service can be reached. When it can again, a stream is opened at once. */
  readonly isReached: ReadonlySignal<boolean>
}

/** After this silence, a proxy must be holding events back: the service sends one every 15 s. */
const silenceMs = 40_000
/** How often a tab checks whether another has released its slot. */
const crowdedMs = 15_000
/** How long a hidden page keeps its stream. */
const hiddenMs = 15_000

/**
 * Keeps an event stream open while the page is visible, and reopens it when it ends.
 * @returns ends it
 */
export function keepStream(source: StreamSource): () => void {
  let failures = 0
  let current: AbortController | undefined
  let timer: number | undefined
  let isClosed = false

  async function run(): Promise<void> {
    const ending = (current = new AbortController())
    const begun = performance.now()
    let retryAfterMs: number | undefined
    let isOpen = false
    const read = async (): Promise<void> => {
      const answer = await source.open(ending.signal)
      if (!answer.ok || answer.body === null) return void (retryAfterMs = retryAfterOf(answer))
      for await (const event of readEvents(unlessSilent(answer.body, ending))) {
        isOpen = true
        source.onEvent(event)
      }
    }
    try {
      if (!(await inSlot(read))) retryAfterMs = crowdedMs
    } catch {
      // Whatever the error was, the stream is over.
    }
    if (current !== ending) return
    source.onEnd()
    current = undefined
    const next = nextStream({ lastedMs: isOpen ? performance.now() - begun : 0, failures, retryAfterMs })
    failures = next.failures
    startIn(next.waitMs)
  }
  function startIn(ms: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void (document.hidden || current !== undefined || run()), ms)
  }
  function end(): void {
    clearTimeout(timer)
    const ending = current
    current = undefined
    if (ending === undefined) return
    ending.abort()
    source.onEnd()
  }
  function onVisibility(): void {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(end, hiddenMs)
    else if (current === undefined) startIn(0)
  }
  document.addEventListener('visibilitychange', onVisibility)
  const forget = effect(() => {
    if (source.isReached.value && current === undefined) startIn(0)
  })
  return () => {
    isClosed = true
    forget()
    document.removeEventListener('visibilitychange', onVisibility)
    end()
  }
}

/** The bytes of a stream, until it is silent for too long. */
function unlessSilent(body: ReadableStream<Uint8Array>, ending: AbortController): ReadableStream<Uint8Array> {
  let timer: number | undefined
  const listen = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => ending.abort(), silenceMs)
  }
  listen()
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        listen()
        controller.enqueue(bytes)
      },
      flush: () => clearTimeout(timer),
    }),
  )
}

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined
}
