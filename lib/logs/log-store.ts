/** One byte stream of a run: the run's own log, or a step's standard output or error, of one attempt of the run. */
export interface LogKey {
  readonly runKey: string
  /** The attempt of the run (1 for the first), not of the step: retries of a step go on in the same log. */
  readonly attempt: number
  /** Empty for the run's own log. */
  readonly step: string
  readonly stream: 'stdout' | 'stderr' | 'run'
}

/** The key of the log of a run itself. */
export function runLogKey({ runKey, attempt }: Pick<LogKey, 'runKey' | 'attempt'>): LogKey {
  return { runKey, attempt, step: '', stream: 'run' }
}

/** Which lines are wanted. Lines are counted from 1; `\n` ends a line; bytes behind the last `\n` are a line too. */
export type LogWindow =
  | { readonly from: 'start'; readonly offset: number; readonly limit: number }
  | { readonly from: 'end'; readonly limit: number }

export interface LogLines {
  readonly bytes: Uint8Array
  readonly lineCount: number
  readonly totalLines: number
  /** First line returned, counted from 1; 0 when none is. */
  readonly firstLine: number
}

/**
 * Keeps bytes as written. `append` may be called again with the same sequence after a failure and stores it once;
 * when its promise is settled the bytes survive the death of the caller. Sequences of one key start at 0, without gaps.
 * Given the token of a claim, a store that is shared drops what comes when the run has a newer one: a runner that hung
 * between its look at the lease and the append must not take the place of what its successor writes.
 */
export interface LogStore {
  append(key: LogKey, sequence: number, bytes: Uint8Array, claim?: string): Promise<void>
  window(key: LogKey, window: LogWindow): Promise<LogLines>
  /** All bytes from `byteOffset` on, as they are now, in order, a chunk at a time. */
  read(key: LogKey, byteOffset: number): AsyncIterable<Uint8Array>
  /** The sequence that follows what is stored, and its size; a new owner of a run goes on there. */
  end(key: LogKey): Promise<{ sequence: number; bytes: number }>
  /** Nothing more comes for the moment: a store may bring what it holds to where it stays. Never rejects. */
  settle(key: LogKey): Promise<void>
  /** A readable file with the bytes, when the store keeps one on this machine; steps read it as `${id.stdout}`. */
  localPath(key: LogKey): string | undefined
  /** The text that the API shows as the place of the log: a path, or a URL of the store. */
  describe(key: LogKey): string
  removeRuns(runKeys: readonly string[]): Promise<void>
}
