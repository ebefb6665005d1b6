import { badRequest } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'
import { EventStream, type ServerEvent } from './event-stream.ts'
import type { LogState } from '#lib/api/logs/log-state.ts'
import { poll } from './poll.ts'

/** A position in a log: the client has everything before it. */
export interface LogPosition {
  readonly attempt: number
  /** Byte offset. */
  readonly offset: number
}

const newline = 10

/** Where a new stream begins, when a client does not come back. */
export interface LogStart {
  readonly position?: string
  /** Lines from the end. */
  readonly tail?: number
}

/**
 * The position at which a stream begins; undefined: the beginning.
 * @throws ServiceError `bad_request`
 */
export async function findLogPosition(
  logs: LogStore,
  key: LogKey,
  lastEventId: string | null,
  { position: given, tail = 0 }: LogStart,
): Promise<LogPosition | undefined> {
  const position = readLogPosition(lastEventId) ?? readLogPosition(given ?? null)
  if (position !== undefined || tail <= 0) return position
  const window = { from: 'end', limit: Math.min(tail, limits.logLinesMax) } as const
  const { start } = await logs.locate(key, window, limits.logWindowBytesMax)
  return { attempt: key.attempt, offset: start }
}

/** @throws ServiceError `bad_request` */
export function readLogPosition(lastEventId: string | null): LogPosition | undefined {
  if (lastEventId === null || lastEventId === '') return undefined
  const [, attempt, offset] = /^(\d{1,9})-(\d{1,15})$/.exec(lastEventId) ?? []
  if (attempt === undefined) {
    throw badRequest(
      `Last-Event-ID: must be the id of an event, got ${JSON.stringify(lastEventId.slice(0, 64))}`,
    )
  }
  return { attempt: Number(attempt), offset: Number(offset) }
}

/** Whether a client at this position has everything. */
export async function hasSeenLog(
  logs: LogStore,
  { key, isOver }: LogState,
  position?: LogPosition,
): Promise<boolean> {
  if (!isOver || position?.attempt !== key.attempt) return false
  return position.offset >= (await logs.end(key)).bytes
}

/**
 * Streams a log as it grows. Events: `lines` (whole lines), `part` (a piece of a line that is too long for one event,
 * with the rest in the next) and `end`. The id of an event is the position after it. When a retry of the run writes a
 * new log, the stream starts at its beginning.
 * @param look called before the log is read, so that everything a step wrote before its end is read
 */
export function followLog(
  logs: LogStore,
  look: () => Promise<LogState>,
  position?: LogPosition,
): EventStream {
  return new EventStream(async function* (signal) {
    const reader = new LogReader(logs, position)
    const read = async () => {
      const { key, isOver } = await look()
      const before = reader.offset
      const found = { events: reader.read(key, isOver), isOver }
      return { found, hasChanged: () => reader.offset !== before }
    }
    for await (const { events, isOver } of poll(read, signal)) {
      for await (const event of events) {
        if (signal.aborted) return
        yield event
      }
      if (isOver) {
        yield { id: reader.id, event: 'end', data: {} }
        return
      }
    }
  })
}

class LogReader {
  offset: number
  readonly #logs: LogStore
  #attempt: number | undefined
  #rest: Buffer = Buffer.alloc(0)

  constructor(logs: LogStore, position: LogPosition | undefined) {
    this.#logs = logs
    this.#attempt = position?.attempt
    this.offset = position?.offset ?? 0
  }

  get id(): string {
    return `${this.#attempt}-${this.offset}`
  }

  /** Everything available now. Text after the last line feed only when no more will follow. */
  async *read(key: LogKey, isOver: boolean): AsyncGenerator<ServerEvent> {
    if (key.attempt !== this.#attempt) {
      this.#attempt = key.attempt
      this.offset = 0
      this.#rest = Buffer.alloc(0)
    }
    for await (const bytes of this.#logs.read(key, this.offset + this.#rest.length)) {
      this.#rest = Buffer.concat([this.#rest, bytes])
      yield* this.#lines()
    }
    if (!isOver || this.#rest.length === 0) return
    const last = this.#rest.toString('utf8')
    this.#advance(this.#rest.length)
    yield { id: this.id, event: 'lines', data: { lines: [last] } }
  }

  *#lines(): Generator<ServerEvent> {
    for (;;) {
      const window = this.#rest.subarray(0, limits.eventLogBytes)
      const end = window.lastIndexOf(newline)
      if (end >= 0) {
        const lines = window.subarray(0, end).toString('utf8').split('\n')
        this.#advance(end + 1)
        yield { id: this.id, event: 'lines', data: { lines } }
      } else if (window.length === limits.eventLogBytes) {
        const cut = characterEnd(window)
        const text = window.subarray(0, cut).toString('utf8')
        this.#advance(cut)
        yield { id: this.id, event: 'part', data: { text } }
      } else return
    }
  }

  #advance(bytes: number): void {
    this.#rest = this.#rest.subarray(bytes)
    this.offset += bytes
  }
}

/** The largest offset that does not cut a UTF-8 character, which has at most four bytes. */
function characterEnd(bytes: Buffer): number {
  for (let end = bytes.length; end > bytes.length - 4; end--) {
    const lead = bytes[end - 1] ?? 0
    if (lead < 0x80) return end
    if (lead >= 0xc0) return end - 1
  }
  return bytes.length
}
