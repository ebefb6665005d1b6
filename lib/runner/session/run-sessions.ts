import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import type { Claim } from '#lib/runs/claim/renew-leases.ts'
import type { RunnerDeps } from '../runner-deps.ts'
import { RunSession } from './run-session.ts'

/** Time to record the releases after the grace period of a drain, milliseconds. */
const releaseTimeoutMs = 10_000

/** The sessions of a runner: one for each run that it owns. */
export class RunSessions {
  readonly #deps: RunnerDeps
  readonly #onSlotFree: () => void
  readonly #sessions = new Map<string, RunSession>()
  readonly #onIdle: (() => void)[] = []
  /**
   * Names of claims that ended here as lost but may still be valid in the database. They are not released: their leases
   * expire, and that counts as a lost runner.
   */
  readonly dropped = new Set<string>()

  /** @param onSlotFree called when a slot may have become free */
  constructor(deps: RunnerDeps, onSlotFree: () => void) {
    this.#deps = deps
    this.#onSlotFree = onSlotFree
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Number of sessions that occupy a slot. */
  get busy(): number {
    let count = 0
    for (const { isBusy } of this.#sessions.values()) if (isBusy) count += 1
    return count
  }

  /** Number of steps that execute on this machine. */
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
    const session = new RunSession(run, this.#deps, this.#onSlotFree)
    this.#sessions.set(run.runKey, session)
    void this.#untilDone(session)
  }

  /** Whether a claim belongs to a current session, or was dropped. */
  isKnown(claim: Claim): boolean {
    return this.of(claim.runKey)?.run.token === claim.token || this.dropped.has(claimName(claim))
  }

  /**
   * Drains all sessions and, after `graceMs`, releases the rest. Resolves when no run is left, or 10 s after that if
   * the database does not respond.
   */
  async drain(graceMs: number): Promise<void> {
    for (const session of this.list()) session.drain()
    const grace = setTimeout(() => this.releaseAll(), graceMs)
    let limit: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      if (this.size === 0) return resolve()
      this.#onIdle.push(resolve)
      // The leases of the remaining runs expire.
      limit = setTimeout(resolve, graceMs + releaseTimeoutMs)
    })
    clearTimeout(grace)
    clearTimeout(limit)
  }

  /** Kills all running steps and gives all runs back. */
  releaseAll(): void {
    for (const session of this.list()) session.release()
  }

  async #untilDone(session: RunSession): Promise<void> {
    const end = await session.done
    const { run } = session
    // The same run may have been claimed again since.
    if (this.of(run.runKey) === session) this.#sessions.delete(run.runKey)
    if (end === 'lost') this.dropped.add(claimName(run))
    if (end === 'finished' && run.parentKey !== undefined) void this.#deps.children.poll()
    this.#onSlotFree()
    if (this.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}

/** Names one claim of one run. */
export const claimName = ({ runKey, token }: Claim): string => `${runKey} ${token}`
