import type { Database } from '#lib/db/client.ts'
import { loadRootRun, type RunState } from './load-run.ts'
import type { DefinitionReader } from './read-definition.ts'
import type { RunRef } from './run-record.ts'

/** Reads the state of runs for event streams. All watchers of a run share one read per `freshMs`. */
export interface RunWatch {
  /** The state of the run, at most `freshMs` old. @throws ServiceError `not_found` */
  readonly state: (ref: RunRef) => Promise<RunState>
}

const freshMs = 200

export function createRunWatch(db: Database, definitions: DefinitionReader): RunWatch {
  const recent = new Map<string, Promise<RunState>>()
  return {
    state: (ref) => {
      const name = `${ref.dagName}/${ref.runId}`
      const known = recent.get(name)
      if (known !== undefined) return known
      const reading = loadRootRun(db, definitions, ref)
      recent.set(name, reading)
      setTimeout(() => recent.delete(name), freshMs).unref()
      return reading
    },
  }
}
