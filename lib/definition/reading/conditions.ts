import type { Condition } from '#lib/definition/definition.ts'
import type { PatternCheck } from './pattern-check.ts'
import type { Position } from './position.ts'
import type { Given } from './layers.ts'

interface RawCondition {
  readonly condition: string
  readonly expected?: string | undefined
  readonly negate?: boolean | undefined
}

type RawConditions = string | RawCondition | readonly (string | RawCondition)[]

/** Reads preconditions: a command, a map, or a list of these. Lists under both spellings of the field are joined. */
export function readConditions(given: readonly Given<RawConditions>[], patterns: PatternCheck): Condition[] {
  return given.flatMap(({ value, position }) => {
    if (!isList(value)) return [readCondition(value, position, patterns)]
    return value.map((one, index) => readCondition(one, position.at(index), patterns))
  })
}

const isList = (value: RawConditions): value is readonly (string | RawCondition)[] => Array.isArray(value)

/** Reads one condition. A blank one is reported as a fault. */
export function readCondition(
  raw: string | RawCondition,
  position: Position,
  patterns: PatternCheck,
): Condition {
  const { condition, expected, negate = false } = typeof raw === 'string' ? { condition: raw } : raw
  if (condition.trim() === '') position.fault('must be a command, or a text to compare, is empty')
  const fault = expected === undefined ? undefined : patterns.fault(expected)
  if (fault !== undefined) position.at('expected').fault(`must be a text or re: and a pattern: ${fault}`)
  return { condition, expected, negate }
}
