import type { Readable } from 'node:stream'

/** How a process ended: with an exit code, by a signal, or it could not be started. */
export type ProcessEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly how: 'not-started'; readonly error: NodeJS.ErrnoException }

/** What a process is started with. Its standard input is empty. */
export interface ProcessStart {
  readonly argv: readonly string[]
  readonly workingDir: string
  readonly env: Readonly<Record<string, string>>
}

/** A process with a session and a process group of its own; its pid is the id of both. */
export interface StartedProcess {
  readonly pid: number
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the process itself has ended, even if others of its group remain. */
  readonly ended: Promise<Exclude<ProcessEnd, { how: 'not-started' }>>
}
