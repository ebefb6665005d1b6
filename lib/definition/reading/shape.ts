import * as v from 'valibot'
import { nearestName } from '#lib/core/nearest-name.ts'
import { show } from './faults.ts'
import { formOf, normalKey, type FixedKeys, type Form } from './key-names.ts'
import type { Position } from './position.ts'
import type { SpecEntry, SpecNode, SpecPath, SpecScalar } from '#lib/definition/yaml/spec-node.ts'

/** A value that matches its schema, with all keys in canonical spelling, and its position. */
export interface Shape<T> {
  /** Undefined when there is none, or none that fits. */
  readonly value: T | undefined
  readonly position: Position
  /** Paths of maps from which keys were left out. */
  readonly shortened: readonly SpecPath[]
}

export interface ShapeOptions {
  /** Removes the invalid part at a path from a value. May remove optional fields only. */
  readonly leaveOut?: (value: unknown, path: SpecPath) => void
  /** What becomes of keys that the schema does not know: a fault (default), or a warning. */
  readonly unknownKeys?: 'refuse' | 'warn'
}

/**
 * Validates the value at a position against a schema. Unknown, refused and repeated keys, and values that do not fit,
 * are reported and left out; the latter by `leaveOut`, or together with the field that contains them.
 */
export function readShape<const S extends v.GenericSchema>(
  schema: S,
  position: Position,
  { leaveOut = leaveOutField, unknownKeys = 'refuse' }: ShapeOptions = {},
): Shape<v.InferOutput<S>> {
  const { node } = position
  if (node === undefined || !position.isGiven) return { value: undefined, position, shortened: [] }
  const form = formOf(schema)
  const spelled = spell(node, form)
  const canonical = position.over(spelled.node)
  const warned = spelled.faults.filter(({ isUnknown }) => isUnknown && unknownKeys === 'warn')
  for (const { at, sentence, path } of warned) {
    canonical.at(...path).warnOfKey(() => `not used: ${sentence()}`, at)
  }
  const refused = spelled.faults.filter((one) => !warned.includes(one))
  for (const { at, sentence, path } of refused) canonical.at(...path).faultOfKey(sentence, at)
  const value = plain(spelled.node, form)
  const { issues = [] } = v.safeParse(schema, value)
  const faults = issues.flatMap(explain)
  for (const { path, sentence } of faults) canonical.at(...path).fault(sentence)
  const shortened = refused.map(({ path }) => path)
  if (faults.some(({ path }) => path.length === 0))
    return { value: undefined, position: canonical, shortened }
  for (const { path } of faults) leaveOut(value, path)
  // Only optional parts were left out, so the value matches the schema.
  return { value, position: canonical, shortened }
}

function leaveOutField(value: unknown, [field]: SpecPath): void {
  if (typeof value === 'object' && value !== null && field !== undefined) Reflect.deleteProperty(value, field)
}

interface KeyFault {
  /** True for a key that is neither a field nor known as one that is not offered. */
  readonly isUnknown: boolean
  readonly path: SpecPath
  readonly at: number
  /** Built only when reported, since the search for a similar name is slow. */
  readonly sentence: () => string
}

/** Gives all keys with fixed names, and all words of choices, their canonical spelling. */
function spell(
  root: SpecNode,
  form: Form,
): { readonly node: SpecNode; readonly faults: readonly KeyFault[] } {
  const faults: KeyFault[] = []
  const walk = (node: SpecNode, form: Form, path: SpecPath): SpecNode => {
    if (node.kind === 'scalar') return inCanonicalSpelling(node, form)
    if (node.kind === 'list') {
      const { item } = form
      if (item === undefined) return node
      return { ...node, items: node.items.map((inner, index) => walk(inner, item, [...path, index])) }
    }
    const { map } = form
    if (map === undefined) return node
    const entries = new Map<string, SpecEntry>()
    for (const [key, entry] of node.entries) {
      const field = map.kind === 'free' ? { name: key, form: map.value } : map.fields.get(normalKey(key))
      if (field === undefined && map.kind === 'fixed') {
        if (map.isOpen) entries.set(key, entry)
        else {
          const isUnknown = !map.notOffered.has(normalKey(key))
          faults.push({ path, at: entry.at, isUnknown, sentence: () => unknownKey(key, map) })
        }
      } else if (field !== undefined && entries.has(field.name)) {
        const first = entries.get(field.name)?.key ?? key
        const sentence = () =>
          `${JSON.stringify(first)} and ${JSON.stringify(key)} are the same field, give one`
        faults.push({ path, at: entry.at, isUnknown: false, sentence })
      } else if (field !== undefined) {
        entries.set(field.name, { ...entry, value: walk(entry.value, field.form, [...path, field.name]) })
      }
    }
    return { ...node, entries }
  }
  return { node: walk(root, form, []), faults }
}

function inCanonicalSpelling(node: SpecScalar, { words }: Form): SpecScalar {
  const word = typeof node.value === 'string' ? words?.get(node.value.toLowerCase()) : undefined
  return word === undefined ? node : { ...node, value: word, text: word }
}

function unknownKey(key: string, { what, notOffered, known }: FixedKeys): string {
  const shown = JSON.stringify(key.slice(0, 60))
  const why = notOffered.get(normalKey(key))
  if (why !== undefined) return `the field ${shown} is not offered here${why === '' ? '' : `: ${why}`}`
  const near = key.length > 60 ? undefined : nearestName(key, known)
  const hint =
    near !== undefined
      ? `, did you mean ${near}?`
      : known.length > 0 && known.length <= 10
        ? `, there are ${known.join(', ')}`
        : ''
  return `${shown} is not a field of ${what}${hint}`
}

/** Plain values for the schema. An empty entry of a map with fixed keys counts as absent. */
function plain(node: SpecNode, form: Form): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map((item) => plain(item, form.item ?? {}))
  const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  const { map } = form
  for (const [key, { value }] of node.entries) {
    const isFixed = map?.kind === 'fixed'
    if (isFixed && value.kind === 'scalar' && value.value === null) continue
    object[key] = plain(value, (isFixed ? map.fields.get(normalKey(key))?.form : map?.value) ?? {})
  }
  return object
}

interface Issue {
  readonly path: (string | number)[]
  readonly sentence: string
}

/** One sentence per fault. For a union, about the option that the author meant. */
function explain(issue: v.BaseIssue<unknown>): Issue[] {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
  const container = Array.isArray(issue.input) ? 'array' : 'object'
  const inner = (issue.issues ?? []).filter((one) => one.path?.[0].type === container)
  if (issue.kind === 'schema' && inner.length > 0) {
    return inner.flatMap(explain).map((one) => ({ sentence: one.sentence, path: path.concat(one.path) }))
  }
  const isMissing = issue.received === 'undefined' && path.length > 0
  if (isMissing) return [{ path: path.slice(0, -1), sentence: `needs ${path.at(-1)}` }]
  return [{ path, sentence: `must be ${issue.message}, is ${show(issue.input)}` }]
}
