import type { Faults } from '#lib/definition/reading/faults.ts'
import type { RawDag } from '#lib/definition/reading/layers.ts'
import { Position } from '#lib/definition/reading/position.ts'
import { Dag } from '#lib/definition/schema/dag.ts'
import { readShape } from '#lib/definition/reading/shape.ts'
import type { SpecNode, SpecPath } from '#lib/definition/yaml/spec-node.ts'

export interface DagShape {
  readonly raw: RawDag
  readonly position: Position
  /** Maps from which invalid parts were left out; that a required field is missing there is no further fault. */
  readonly broken: ReadonlySet<unknown>
}

const emptyMap = (at: number): SpecNode => ({ kind: 'map', at, end: at, entries: new Map() })

/**
 * Reads a document as a DAG. A field that does not fit is reported and left out, so that the rest can still be read.
 */
export function readDagShape(root: SpecNode, faults: Faults, owner: string): DagShape {
  const isNothing = root.kind === 'scalar' && root.value === null
  if (root.kind !== 'map' && !isNothing) {
    const what = root.kind === 'list' ? 'is a list' : 'is a text'
    faults.add(
      root.at,
      `${owner === '' ? 'a DAG file' : owner} must be a map of fields such as steps, ${what}`,
    )
  }
  const broken = new Set<unknown>()
  const map = root.kind === 'map' ? root : emptyMap(root.at)
  const {
    value = {},
    position,
    shortened,
  } = readShape(Dag, new Position({ root: map, faults, owner }), {
    leaveOut: (dag, path) => leaveOut(dag, path, broken),
  })
  for (const path of shortened) broken.add(valueAt(value, unitOf(value, path)))
  return { raw: value, position, broken }
}

type Container = Record<string | number, unknown>

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

const valueAt = (root: unknown, path: SpecPath): unknown =>
  path.reduce<unknown>((value, key) => (isContainer(value) ? value[key] : undefined), root)

/**
 * Removes a field from the step, the handler or the DAG that it belongs to. A step that is itself invalid becomes
 * empty.
 */
function leaveOut(dag: unknown, path: SpecPath, broken: Set<unknown>): void {
  const unit = unitOf(dag, path)
  const holder = valueAt(dag, unit)
  const key = path[unit.length]
  if (key !== undefined && isContainer(holder)) {
    delete holder[key]
    broken.add(holder)
    return
  }
  const parent = valueAt(dag, unit.slice(0, -1))
  const last = unit.at(-1)
  if (last === undefined || !isContainer(parent)) return
  if (path[0] === 'steps') {
    const placeholder = {}
    parent[last] = placeholder
    broken.add(placeholder)
  } else delete parent[last]
}

/** The part of a path that leads to its step, its handler, or the DAG. */
function unitOf(dag: unknown, path: SpecPath): SpecPath {
  if (path.length < 2 || (path[0] !== 'steps' && path[0] !== 'handlerOn')) return []
  const isGroup = path[0] === 'steps' && path.length > 2 && Array.isArray(valueAt(dag, path.slice(0, 2)))
  return path.slice(0, isGroup ? 3 : 2)
}
