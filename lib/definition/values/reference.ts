import { Effort } from './effort.ts'
import { lookUpPath } from './json-document.ts'
import { type PathStep, readPath } from './json-path.ts'
import { plainText } from './json-text.ts'
import type { Scope, StepReference } from './scope.ts'

/** A scope whose effort is bounded. */
export type BoundedScope = Scope & { readonly effort: Effort }

export function bounded(scope: Scope): BoundedScope {
  return { ...scope, effort: scope.effort ?? new Effort() }
}

/** A reference `$NAME…` or `${NAME…` in a text, with its value. */
export interface Reference {
  /** The name before any path. */
  readonly name: string
  readonly path: readonly PathStep[]
  /** Offset after the name and its path: of `}`, or of whatever else is in the braces. */
  readonly headEnd: number
  /** Offset after the whole reference. In braces: only set when nothing but a slice follows the head. */
  readonly end: number | undefined
  /** Undefined: the name is unknown, or a path is applied to a value that is not JSON. */
  readonly value: string | undefined
  /** False: the value is JSON, but the path leads nowhere. */
  readonly exists: boolean
  /** For a shell, the file of a stream (`file`) is always one word, whatever its path is. */
  readonly meaning: 'value' | 'file'
}

const identifier = /[A-Za-z_][A-Za-z0-9_]*/y
const number = /[1-9]\d{0,8}/y
const dashed = /[A-Za-z_][A-Za-z0-9_-]*/y
const nameLengthMax = 256
const slice = /:(\d{1,9})(?::(\d{1,9}))?\}/y

function wordAt(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at
  return form.test(text) ? text.slice(at, form.lastIndex) : undefined
}

/**
 * Reads the reference that begins with the dollar sign at `at`.
 * @returns undefined when no reference begins there (`$(`, `$$`, `${#NAME}`, a dollar sign before a blank …)
 */
export function readReference(text: string, at: number, scope: BoundedScope): Reference | undefined {
  return text[at + 1] === '{' ? readBraced(text, at + 2, scope) : readBare(text, at + 1, scope)
}

function readBare(text: string, at: number, scope: BoundedScope): Reference | undefined {
  const name = wordAt(identifier, text, at) ?? wordAt(number, text, at)
  if (name === undefined) return undefined
  const nameEnd = at + name.length
  const { steps, end } = readPath(text, nameEnd, 'bare')
  const found = steps.length === 0 ? undefined : lookUp(name, steps, scope)
  // Without braces, a path counts only if it leads to something: `$FILE.txt` is a file name.
  if (found?.exists === true) return { ...found, name, path: steps, headEnd: end, end }
  const { value, exists, meaning } = lookUp(name, noPath, scope) ?? nothing
  return { name, path: noPath, headEnd: nameEnd, end: nameEnd, value, exists, meaning }
}

function readBraced(text: string, at: number, scope: BoundedScope): Reference | undefined {
  const close = text.slice(at, at + nameLengthMax).indexOf('}')
  const exact = close < 0 ? undefined : scope.variables.get(text.slice(at, at + close))
  if (exact !== undefined) {
    const headEnd = at + close
    const name = text.slice(at, headEnd)
    return { name, path: [], headEnd, end: headEnd + 1, value: exact, exists: true, meaning: 'value' }
  }
  const name = nameWithin(text, at, scope)
  if (name === undefined) return undefined
  const { steps, end } = readPath(text, at + name.length, 'braced')
  const found = lookUp(name, steps, scope) ?? nothing
  const head = { ...found, name, path: steps, headEnd: end }
  if (text[end] === '}') return { ...head, end: end + 1 }
  slice.lastIndex = end
  const cut = slice.exec(text)
  if (cut === null) return { ...head, end: undefined }
  const value = found.value === undefined ? undefined : cutOut(found.value, cut, scope.effort)
  return { ...head, end: slice.lastIndex, value, meaning: 'value' }
}

/** A step id or a param may contain dashes, where a shell would read `${NAME-default}`: known names win. */
function nameWithin(text: string, at: number, scope: Scope): string | undefined {
  const long = wordAt(dashed, text, at)
  if (long !== undefined && (scope.steps.has(long) || scope.variables.has(long))) return long
  return wordAt(identifier, text, at) ?? wordAt(number, text, at)
}

type Found = Pick<Reference, 'exists' | 'meaning'> & { readonly value: string }

const noPath: readonly PathStep[] = []
const nothing = { value: undefined, exists: false, meaning: 'value' } as const

function lookUp(name: string, path: readonly PathStep[], scope: BoundedScope): Found | undefined {
  const value = /^\d/.test(name) ? scope.positional[Number(name) - 1] : scope.variables.get(name)
  if (path.length === 0) return value === undefined ? undefined : { value, exists: true, meaning: 'value' }
  const step = scope.steps.get(name)
  const property = step === undefined ? undefined : propertyOf(step, path, scope.effort)
  if (property !== undefined) return property
  return (value === undefined ? undefined : inJson(value, path, scope.effort)) ?? emptyOutput(step, path)
}

function propertyOf(step: StepReference, path: readonly PathStep[], effort: Effort): Found | undefined {
  const [first, key, ...rest] = path
  if (first === 'outputs' && typeof key === 'string' && Object.hasOwn(step.outputs, key)) {
    const value = step.outputs[key] ?? ''
    return rest.length === 0 ? { value, exists: true, meaning: 'value' } : inJson(value, rest, effort)
  }
  if (path.length !== 1) return undefined
  if (first === 'stdout' || first === 'stderr') return { value: step[first], exists: true, meaning: 'file' }
  if (first === 'exit_code' || first === 'exitCode') {
    return { value: step.exitCode === undefined ? '' : `${step.exitCode}`, exists: true, meaning: 'value' }
  }
  return undefined
}

function emptyOutput(step: StepReference | undefined, path: readonly PathStep[]): Found | undefined {
  return step !== undefined && path[0] === 'outputs' && path.length > 1
    ? { value: '', exists: false, meaning: 'value' }
    : undefined
}

function inJson(text: string, path: readonly PathStep[], effort: Effort): Found | undefined {
  const document = lookUpPath(text, path, effort)
  if (document === undefined) return undefined
  const { found } = document
  if (found === undefined) return { value: '', exists: false, meaning: 'value' }
  effort.spend(found.end - found.start)
  return { value: plainText(found), exists: true, meaning: 'value' }
}

/** Counts Unicode characters, not UTF-16 units. */
function cutOut(value: string, [, start, length]: RegExpExecArray, effort: Effort): string {
  const from = Number(start)
  const until = length === undefined ? Infinity : from + Number(length)
  const begin = offsetAfter(value, 0, from)
  const end = offsetAfter(value, begin, until - from)
  effort.spend(end)
  return value.slice(begin, end)
}

/** The offset after `count` Unicode characters from an offset on. */
function offsetAfter(value: string, from: number, count: number): number {
  if (count >= value.length - from) return value.length
  let at = from
  for (let left = count; left > 0 && at < value.length; left--) {
    at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  return at
}
