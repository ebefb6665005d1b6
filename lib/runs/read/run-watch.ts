import type { Database } from '#lib/db/client.ts'
import { loadChildRun, loadRootRun, type RunState } from './load-run.ts'
import type { DefinitionReader } from './read-definition.ts'
import type { RunPlace } from './run-record.ts'

/** Reads the state of runs for event streams. All watchers of a run share one read per `freshMs`. */
export interface RunWatch {
  /** The state of the run, at most `freshMs` old. @throws ServiceError `not_found` */
  readonly state: (place: RunPlace) => Promise<RunState>
}

const freshMs = 200

export function createRunWatch(db: Database, definitions: DefinitionReader): RunWatch {
  const recent = new Map<string, Promise<RunState>>()
  return {
    state: (place) => {
      const name = [place.dagName, place.runId, place.childId ?? ''].join('/')
      const known = recent.get(name)
      if (known !== undefined) return known
      const reading =
        place.childId === undefined
          ? loadRootRun(db, definitions, place)
          : loadChildRun(db, definitions, { ...place, childId: place.childId })
      recent.set(name, reading)
      setTimeout(() => recent.delete(name), freshMs).unref()
      return reading
    },
  }
}
