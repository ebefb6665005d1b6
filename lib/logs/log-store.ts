/** A byte stream: the log of a run, or standard output or error of a step, in one attempt of the run. */
export interface LogKey {
  readonly runKey: string
  /** The attempt of the run (1 is the first), not of the step: retries of a step continue the same log. */
  readonly attempt: number
  /** Empty for the run's own log. */
  readonly step: string
  readonly stream: 'stdout' | 'stderr' | 'run'
}

/** The key of the log of a run itself. */
export function runLogKey({ runKey, attempt }: Pick<LogKey, 'runKey' | 'attempt'>): LogKey {
  return { runKey, attempt, step: '', stream: 'run' }
}

/** A window of lines. Lines are counted from 1 and end with `\n`; bytes after the last `\n` are a line too. */
export type LogWindow =
  | { readonly from: 'start'; readonly offset: number; readonly limit: number }
  | { readonly from: 'end'; readonly limit: number }

/** Where the lines of a window are. */
export interface LogSpan {
  /** Byte offset of the first byte, and of the one after the last; the last line feed is not part of it. */
  readonly start: number
  readonly end: number
  /** Lines that begin in the span. */
  readonly lineCount: number
  readonly totalLines: number
  /** Number of the first line; 0 when there is none. */
  readonly firstLine: number
  /** Bytes of the only line that are not in the span, because the line alone is larger than a window may be. */
  readonly cutBytes: number
}

/** A part of a log that was stored at one time; it ends where the next one starts. */
export interface LogPiece {
  /** Byte offset. */
  readonly start: number
  /** Line feeds before it. */
  readonly feeds: number
  /** Milliseconds since 1970; undefined for what was stored before times were noted. */
  readonly at: number | undefined
}

/**
 * Stores bytes as written. Chunks of a key are numbered from 0, without gaps. `append` is idempotent: after a failure,
 * it may be called again with the same sequence. Once its promise is settled, the bytes survive the death of the
 * caller. A shared store also takes the token of the claim as a fence, and drops the chunk when the run has a newer
 * one: a runner that hung between its look at the lease and the append must not take the place of its successor's
 * output.
 */
export interface LogStore {
  append(key: LogKey, sequence: number, bytes: Uint8Array, claim?: string): Promise<void>
  /**
   * Finds the lines of a window without holding them in memory. When they are more than `bytesMax` bytes, the span has
   * as many whole lines as fit, from the side on which the window begins; at least one, if need be cut.
   */
  locate(key: LogKey, window: LogWindow, bytesMax: number): Promise<LogSpan>
  /** All bytes from `byteOffset` on, as they are now, in order, chunk by chunk. */
  read(key: LogKey, byteOffset: number): AsyncIterable<Uint8Array>
  /** The next sequence, and the size; a new owner of a run continues there. */
  end(key: LogKey): Promise<{ sequence: number; bytes: number }>
  /** When the parts of logs of one run were stored, to the second, for each log in order; nothing for an empty log. */
  pieces(keys: readonly LogKey[]): Promise<readonly (readonly LogPiece[])[]>
  /** Announces that no output is expected for now: a store may move its bytes to their final place. Never rejects. */
  settle(key: LogKey): Promise<void>
  /** The path of a file with the bytes, when the store keeps one on this machine; steps read it as `${id.stdout}`. */
  localPath(key: LogKey): string | undefined
  /** The location of the log that the API shows: a path, or a URL of the store. */
  describe(key: LogKey): string
  removeRuns(runKeys: readonly string[]): Promise<void>
}
