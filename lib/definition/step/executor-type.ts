import type { ExecutorType } from '#lib/definition/definition.ts'
import { executors, readExecutorType } from '#lib/definition/executor-config/executors.ts'
import type { Surroundings } from '#lib/definition/executor-config/record.ts'
import type { Place } from '#lib/definition/reading/place.ts'
import type { RawStep } from '#lib/definition/schema/step.ts'

/**
 * The executor type of a step: as given (in either form); otherwise as its other fields imply; otherwise docker if the
 * DAG has a container, ssh if it has an `ssh` field, else shell. Contradictions are reported as faults.
 * @returns undefined when the type is unknown
 */
export function typeOf(raw: RawStep, place: Place, around: Surroundings): ExecutorType | undefined {
  const given = givenType(raw, place)
  if (given === 'unknown') return undefined
  if (raw.call !== undefined) return only('dag', given, 'call', place)
  if (raw.container !== undefined) return only('docker', given, 'container', place)
  if (given !== undefined) return given
  if (around.container !== undefined) return 'docker'
  return around.ssh === undefined ? 'shell' : 'ssh'
}

function givenType(raw: RawStep, place: Place): ExecutorType | 'unknown' | undefined {
  if (raw.executor !== undefined && (raw.type !== undefined || raw.config !== undefined)) {
    place.at('executor').fault('must not stand beside type and config, which are another way to write it')
  }
  const old = typeof raw.executor === 'string' ? raw.executor : raw.executor?.type
  const spelling = raw.type ?? old
  if (spelling === undefined) return undefined
  const type = readExecutorType(spelling)
  if (typeof type === 'string') return type
  spellingPlace(raw, place).fault(type.fault)
  return 'unknown'
}

function spellingPlace(raw: RawStep, place: Place): Place {
  if (raw.type !== undefined) return place.at('type')
  return typeof raw.executor === 'string' ? place.at('executor') : place.at('executor', 'type')
}

function only(
  type: ExecutorType,
  given: ExecutorType | undefined,
  field: 'call' | 'container',
  place: Place,
): ExecutorType {
  if (given !== undefined && given !== type) {
    place.at(field).fault(`must not stand in a step of type ${given}, it belongs to type ${type}`)
  }
  return type
}

/** The validated config of a step's executor in canonical spelling, with the DAG's defaults filled in. */
export function configOf(type: ExecutorType, raw: RawStep, place: Place, around: Surroundings): object {
  const at = typeof raw.executor === 'object' ? place.at('executor', 'config') : place.at('config')
  // That it is not a map has been reported already.
  if (at.isGiven && at.node?.kind !== 'map') return {}
  return executors[type].readConfig({ raw, place, at, around })
}
