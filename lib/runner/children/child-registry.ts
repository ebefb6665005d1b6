import type { ChildEnd, ChildRuns } from '#lib/executors/dag/child-runs.ts'
import type { Database } from '#lib/db/client.ts'
import { displayParams } from '#lib/definition/params/display-params.ts'
import type { ClaimedRun } from '#lib/runs/claim/claim-runs.ts'
import { endedChildren, type EndedChild } from '#lib/runs/children/ended-children.ts'
import { stopChild } from '#lib/runs/stop/stop-run.ts'
import type { DefinitionReader } from '#lib/runs/read/read-definition.ts'
import { whileUnreachable } from '#lib/db/while-unreachable.ts'
import { Ancestry, beginChild, type Begun } from './begin-child.ts'
import type { ChildView } from './child-view.ts'

export interface ChildDeps {
  readonly db: Database
  readonly definitions: DefinitionReader
  /** A child run was made: this runner may have room for it. */
  readonly onBegun: () => void
  readonly onFailure: (error: unknown) => void
}

interface BegunHere extends Begun {
  /** How many hints had come by then. */
  readonly hintsBefore: number
}

/**
 * The child runs that parents on this runner wait for. One query asks for all of them, whenever a hint says that some
 * run has ended, and with every look of the watch, in case the hint was lost. A parent that only waits costs no slot.
 */
export class ChildRegistry {
  readonly #deps: ChildDeps
  /** By run key. */
  readonly #awaited = new Map<string, Set<(end: ChildEnd) => void>>()
  #hints = 0
  #isAsking = false
  #askAgain = false

  constructor(deps: ChildDeps) {
    this.#deps = deps
  }

  /** The child runs of a run, as one attempt of one of its steps sees them. */
  of(parent: ClaimedRun): (view: ChildView) => ChildRuns {
    const ancestry = new Ancestry(this.#deps.db, parent)
    return (view) => {
      const begun = new Map<string, BegunHere>()
      const isWanted = (): boolean => view.signal.reason !== 'lease_lost'
      return {
        begin: async (request) => {
          const context = { ...this.#deps, parent, ancestry, view }
          const hintsBefore = this.#hints
          const child = await whileUnreachable(() => beginChild(request, context), isWanted)
          begun.set(request.runId, { ...child, hintsBefore })
          this.#deps.onBegun()
        },
        ended: (runId) => this.#ended(begun.get(runId), view.signal),
        stop: async (runId) => {
          const runKey = begun.get(runId)?.runKey
          if (runKey === undefined) return
          await whileUnreachable(() => stopChild(this.#deps.db, { runKey }), isWanted).catch(
            this.#deps.onFailure,
          )
        },
      }
    }
  }

  /** Asks which of the awaited runs have ended; called while a question is in progress, it is asked once more. */
  async ask(): Promise<void> {
    this.#hints += 1
    this.#askAgain = true
    if (this.#isAsking) return
    this.#isAsking = true
    while (this.#askAgain && this.#awaited.size > 0) {
      this.#askAgain = false
      try {
        for (const child of await endedChildren(this.#deps.db, [...this.#awaited.keys()]))
          this.#publish(child)
      } catch (error) {
        this.#deps.onFailure(error)
      }
    }
    this.#isAsking = false
  }

  #ended(child: BegunHere | undefined, signal: AbortSignal): Promise<ChildEnd> {
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
      // The hint of its end may have come while nobody awaited it yet.
      else if (child.mayHaveEnded || child.hintsBefore !== this.#hints) void this.ask()
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
