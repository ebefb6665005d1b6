import type { State } from './states.ts'

/** A root run in the URL of a comparison. */
export interface RunName {
  readonly name: string
  readonly runId: string
}

/** Reads `nightly/0199…`; undefined for anything else. */
export function readRunName(text: string | undefined): RunName | undefined {
  const [, name, runId] = /^([\w.-]+)\/([\w-]+)$/.exec(text ?? '') ?? []
  return name === undefined || runId === undefined ? undefined : { name, runId }
}

export const runNameText = ({ name, runId }: RunName): string => `${name}/${runId}`

/** A value of two runs; undefined if a run does not have it. */
export interface Pair<Value> {
  readonly name: string
  readonly a: Value | undefined
  readonly b: Value | undefined
}

/** Pairs by name, in the order of the second, followed by those that only the first has. */
export function pairs<Value>(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
): readonly Pair<Value>[] {
  return [...new Set([...b.keys(), ...a.keys()])].map((name) => ({ name, a: a.get(name), b: b.get(name) }))
}

/**
 * The params of a run by name, from the line in which the service shows them. Blanks in values are not quoted there: a
 * value that looks like another param is taken for one.
 */
export function paramsOf(line: string): ReadonlyMap<string, string> {
  const starts = [...` ${line}`.matchAll(/ ([A-Za-z_0-9]+)=/g)]
  if (starts.length === 0) return new Map(line === '' ? [] : [['', line]])
  return new Map(
    starts.map(({ index, 0: all, 1: name = '' }, at) => {
      const end = starts[at + 1]?.index ?? line.length + 1
      return [name, line.slice(index + all.length - 1, end - 1)]
    }),
  )
}

interface OutputNode {
  readonly step: { readonly name: string }
  readonly outputs?: Readonly<Record<string, string>>
}

/** What steps captured, as `step.NAME`. */
export const outputsOf = (nodes: readonly OutputNode[]): ReadonlyMap<string, string> =>
  new Map(
    nodes.flatMap(({ step, outputs = {} }) =>
      Object.entries(outputs).map(([name, value]) => [`${step.name}.${name}`, value] as const),
    ),
  )

/** A step of one of the two runs. */
export interface TimedStep {
  readonly state: State
  readonly tookMs: number | undefined
}

export interface StepPair extends Pair<TimedStep> {
  /** Parts of the longest of all steps, 0 to 1. */
  readonly aPart: number
  readonly bPart: number
}

export function stepPairs(
  a: ReadonlyMap<string, TimedStep>,
  b: ReadonlyMap<string, TimedStep>,
): readonly StepPair[] {
  const longest = Math.max(1, ...[...a.values(), ...b.values()].map(({ tookMs = 0 }) => tookMs))
  const part = (step: TimedStep | undefined): number => (step?.tookMs ?? 0) / longest
  return pairs(a, b).map((pair) => ({ ...pair, aPart: part(pair.a), bPart: part(pair.b) }))
}

/** Smaller differences are noise. */
const noiseMs = 100
const timesShown = 1.5

/** How the second differs from the first: `+4.0 s`, `−200 ms`, with `3.0 times` if it is much; empty if hardly. */
export function differenceText(
  a: number | undefined,
  b: number | undefined,
  text: (ms: number) => string,
): string {
  if (a === undefined || b === undefined || Math.abs(b - a) < noiseMs) return ''
  const signed = `${b > a ? '+' : '−'}${text(Math.abs(b - a))}`
  return a >= noiseMs && b / a >= timesShown ? `${signed}, ${(b / a).toFixed(1)} times` : signed
}
