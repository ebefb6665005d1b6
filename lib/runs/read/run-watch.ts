import type { Database } from '#lib/db/client.ts'
import { loadChildRun, loadRootRun, type RunState } from './load-run.ts'
import type { DefinitionReader } from './read-definition.ts'
import type { RunAddress } from './run-record.ts'

/** Reads the state of runs for event streams. All watchers of a run share one read per `freshMs`. */
export interface RunWatch {
  /** The state of the run, at most `freshMs` old. @throws ServiceError `not_found` */
  readonly state: (address: RunAddress) => Promise<RunState>
}

const freshMs = 200

export function createRunWatch(db: Database, definitions: DefinitionReader): RunWatch {
  const recent = new Map<string, Promise<RunState>>()
  return {
    state: (address) => {
      const name = [address.dagName, address.runId, address.childId ?? ''].join('/')
      const known = recent.get(name)
      if (known !== undefined) return known
      const reading =
        address.childId === undefined
          ? loadRootRun(db, definitions, address)
          : loadChildRun(db, definitions, { ...address, childId: address.childId })
      recent.set(name, reading)
      setTimeout(() => recent.delete(name), freshMs).unref()
      return reading
    },
  }
}
