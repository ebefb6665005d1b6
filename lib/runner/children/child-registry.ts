import type { ChildEnd, ChildRuns } from '#lib/executors/dag/child-runs.ts'
import type { Database } from '#lib/db/client.ts'
import { displayParams } from '#lib/definition/params/display-params.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { endedChildren, type EndedChild } from '#lib/runs/children/ended-children.ts'
import { stopChild } from '#lib/runs/stop/stop-run.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import { whileUnreachable } from '#lib/db/while-unreachable.ts'
import { Ancestry, startChild, type StartedChild } from './start-child.ts'
import type { ChildView } from './child-view.ts'

export interface ChildDeps {
  readonly db: Database
  readonly definitions: DefinitionReader
  /** Called after a child run was created: this runner may have a free slot for it. */
  readonly onStarted: () => void
  readonly onFailure: (error: unknown) => void
}

interface WatchedChild extends StartedChild {
  /** Number of hints received before the child was created. */
  readonly hintsBefore: number
}

/**
 * The child runs that parents on this runner wait for. One query reads all of them, whenever a hint says that some run
 * has ended, and at every poll of the watch, in case the hint was lost. A parent that only waits occupies no slot.
 */
export class ChildRegistry {
  readonly #deps: ChildDeps
  /** Callbacks by run key. */
  readonly #awaited = new Map<string, Set<(end: ChildEnd) => void>>()
  #hints = 0
  #isPolling = false
  #pollAgain = false

  constructor(deps: ChildDeps) {
    this.#deps = deps
  }

  /** Returns a function that gives each attempt of the run its interface to child runs. */
  of(parent: ClaimedRun): (view: ChildView) => ChildRuns {
    const ancestry = new Ancestry(this.#deps.db, parent)
    return (view) => {
      const started = new Map<string, WatchedChild>()
      const isOwner = (): boolean => view.signal.reason !== 'lease_lost'
      return {
        begin: async (request) => {
          const context = { ...this.#deps, parent, ancestry, view }
          const hintsBefore = this.#hints
          const child = await whileUnreachable(() => startChild(request, context), isOwner)
          started.set(request.runId, { ...child, hintsBefore })
          this.#deps.onStarted()
        },
        ended: (runId) => this.#ended(started.get(runId), view.signal),
        stop: async (runId) => {
          const runKey = started.get(runId)?.runKey
          if (runKey === undefined) return
          await whileUnreachable(() => stopChild(this.#deps.db, { runKey }), isOwner).catch(
            this.#deps.onFailure,
          )
        },
      }
    }
  }

  /** Finds the awaited runs that have ended. A call during a query makes it run once more. */
  async poll(): Promise<void> {
    this.#hints += 1
    this.#pollAgain = true
    if (this.#isPolling) return
    this.#isPolling = true
    while (this.#pollAgain && this.#awaited.size > 0) {
      this.#pollAgain = false
      try {
        for (const child of await endedChildren(this.#deps.db, [...this.#awaited.keys()]))
          this.#publish(child)
      } catch (error) {
        this.#deps.onFailure(error)
      }
    }
    this.#isPolling = false
  }

  #ended(child: WatchedChild | undefined, signal: AbortSignal): Promise<ChildEnd> {
    return new Promise((resolve, reject) => {
      if (child === undefined) return reject(new Error('the child run was not started'))
      const waiting = this.#awaited.get(child.runKey) ?? new Set()
      this.#awaited.set(child.runKey, waiting.add(resolve))
      const leave = (): void => {
        if (signal.reason !== 'lease_lost') return
        waiting.delete(resolve)
        if (waiting.size === 0) this.#awaited.delete(child.runKey)
        reject(new Error('the run belongs to another runner'))
      }
      signal.addEventListener('abort', leave)
      if (signal.aborted) leave()
      // The hint may have come before the child was awaited.
      else if (child.mayHaveEnded || child.hintsBefore !== this.#hints) void this.poll()
    })
  }

  #publish(child: EndedChild): void {
    const { dagName, runId, status, outputs, params, paramsGiven } = child
    const shown = params === undefined ? (paramsGiven ?? '') : displayParams(params)
    for (const resolve of this.#awaited.get(child.runKey) ?? []) {
      resolve({ dagName, runId, status, outputs, params: shown })
    }
    this.#awaited.delete(child.runKey)
  }
}
