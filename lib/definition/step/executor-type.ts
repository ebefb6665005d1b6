import type { ExecutorType } from '#lib/definition/definition.ts'
import { executors, readExecutorType } from '#lib/definition/executor-config/executors.ts'
import type { ExecutorDefaults } from '#lib/definition/executor-config/record.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import type { RawStep } from '#lib/definition/schema/step.ts'

/**
 * The executor type of a step: as given (in either form); otherwise as its other fields imply; otherwise docker if the
 * DAG has a container, ssh if it has an `ssh` field, else shell. Contradictions are reported as faults.
 * @returns undefined when the type is unknown
 */
export function typeOf(
  raw: RawStep,
  position: Position,
  defaults: ExecutorDefaults,
): ExecutorType | undefined {
  const given = givenType(raw, position)
  if (given === 'unknown') return undefined
  if (raw.call !== undefined) return only('dag', given, 'call', position)
  if (raw.container !== undefined) return only('docker', given, 'container', position)
  if (given !== undefined) return given
  if (defaults.container !== undefined) return 'docker'
  return defaults.ssh === undefined ? 'shell' : 'ssh'
}

function givenType(raw: RawStep, position: Position): ExecutorType | 'unknown' | undefined {
  if (raw.executor !== undefined && (raw.type !== undefined || raw.config !== undefined)) {
    position.at('executor').fault('must not be combined with type and config, which mean the same')
  }
  const old = typeof raw.executor === 'string' ? raw.executor : raw.executor?.type
  const spelling = raw.type ?? old
  if (spelling === undefined) return undefined
  const type = readExecutorType(spelling)
  if (typeof type === 'string') return type
  spellingPosition(raw, position).fault(type.fault)
  return 'unknown'
}

function spellingPosition(raw: RawStep, position: Position): Position {
  if (raw.type !== undefined) return position.at('type')
  return typeof raw.executor === 'string' ? position.at('executor') : position.at('executor', 'type')
}

function only(
  type: ExecutorType,
  given: ExecutorType | undefined,
  field: 'call' | 'container',
  position: Position,
): ExecutorType {
  if (given !== undefined && given !== type) {
    position.at(field).fault(`must not be in a step of type ${given}; it belongs to type ${type}`)
  }
  return type
}

/** The validated config of a step's executor in canonical spelling, with the DAG's defaults filled in. */
export function configOf(
  type: ExecutorType,
  raw: RawStep,
  position: Position,
  defaults: ExecutorDefaults,
): object {
  const at = typeof raw.executor === 'object' ? position.at('executor', 'config') : position.at('config')
  // That it is not a map has been reported already.
  if (at.isGiven && at.node?.kind !== 'map') return {}
  return executors[type].readConfig({ raw, position, at, defaults })
}
