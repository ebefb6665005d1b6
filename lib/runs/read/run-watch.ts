import type { Database } from '#lib/db/client.ts'
import { loadChildRun, loadRootRun, type RunState } from './load-run.ts'
import type { DefinitionReader } from './read-definition.ts'
import type { RunAddress } from './run-record.ts'

/** Reads the state of runs for event streams. All watchers of a run share one read per 200 ms. */
export interface RunWatch {
  /** The state of the run, at most 200 ms old. @throws ServiceError `not_found` */
  readonly state: (address: RunAddress) => Promise<RunState>
}

const freshMs = 200

export function createRunWatch(db: Database, definitions: DefinitionReader): RunWatch {
  const recent = new Map<string, Promise<RunState>>()
  return {
    state: (address) => {
      const key = [address.dagName, address.runId, address.childId ?? ''].join('/')
      const known = recent.get(key)
      if (known !== undefined) return known
      const reading =
        address.childId === undefined
          ? loadRootRun(db, definitions, address)
          : loadChildRun(db, definitions, { ...address, childId: address.childId })
      recent.set(key, reading)
      setTimeout(() => recent.delete(key), freshMs).unref()
      return reading
    },
  }
}
