import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import type { Claim } from '#lib/runs/claim/renew-leases.ts'
import type { RunnerDeps } from '../runner-deps.ts'
import { RunSession } from './run-session.ts'

/** After the grace period of a drain, time for the database to take the runs back, milliseconds. */
const releaseMs = 10_000

/** The sessions of a runner: one for each run that it owns. */
export class RunSessions {
  readonly #deps: RunnerDeps
  readonly #onRoom: () => void
  readonly #sessions = new Map<string, RunSession>()
  readonly #idle: (() => void)[] = []
  /**
   * Names of claims of runs that ended here as lost but may still be valid in the database. They are not released:
   * their leases expire, which counts as a lost runner.
   */
  readonly dropped = new Set<string>()

  /** @param onRoom called when a slot may have become free */
  constructor(deps: RunnerDeps, onRoom: () => void) {
    this.#deps = deps
    this.#onRoom = onRoom
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Sessions that occupy a slot. */
  get busy(): number {
    let count = 0
    for (const { isBusy } of this.#sessions.values()) if (isBusy) count += 1
    return count
  }

  /** Steps that execute on this machine. */
  get executing(): number {
    return this.list().reduce((sum, { executing }) => sum + executing, 0)
  }

  list(): RunSession[] {
    return [...this.#sessions.values()]
  }

  /** The session of a run, if this runner owns it. */
  of(runKey: string): RunSession | undefined {
    return this.#sessions.get(runKey)
  }

  begin(run: ClaimedRun): void {
    const session = new RunSession(run, this.#deps, this.#onRoom)
    this.#sessions.set(run.runKey, session)
    void this.#untilDone(session)
  }

  /** Whether a claim belongs to a current session, or was dropped. */
  isHeard(claim: Claim): boolean {
    return this.of(claim.runKey)?.run.token === claim.token || this.dropped.has(claimName(claim))
  }

  /** Running steps get `graceMs`, then all runs are released. Settles when none is left, or without a database. */
  async drain(graceMs: number): Promise<void> {
    for (const session of this.list()) session.drain()
    const grace = setTimeout(() => this.releaseAll(), graceMs)
    let limit: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      if (this.size === 0) return resolve()
      this.#idle.push(resolve)
      // After that, the leases expire.
      limit = setTimeout(resolve, graceMs + releaseMs)
    })
    clearTimeout(grace)
    clearTimeout(limit)
  }

  /** Kills everything and gives all runs back. */
  releaseAll(): void {
    for (const session of this.list()) session.release()
  }

  async #untilDone(session: RunSession): Promise<void> {
    const end = await session.done
    const { run } = session
    // The same run may have been claimed again since.
    if (this.of(run.runKey) === session) this.#sessions.delete(run.runKey)
    if (end === 'lost') this.dropped.add(claimName(run))
    if (end === 'finished' && run.parentKey !== undefined) void this.#deps.children.ask()
    this.#onRoom()
    if (this.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }
}

/** Names one claim of one run. */
export const claimName = ({ runKey, token }: Claim): string => `${runKey} ${token}`
