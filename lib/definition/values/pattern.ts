import { RE2JS } from 're2js'

/** The pattern after `re:`, in RE2 syntax, which matches in linear time, so no pattern can block the service. */
export interface Pattern {
  /** Whether the pattern matches anywhere in the text. */
  readonly test: (text: string) => boolean
  /** How many instructions a character may take, of 10 to 100 ns each. */
  readonly size: number
}

const patternLengthMax = 1_000
/** Repetitions count: `a{500}` is 500 instructions. */
const patternSizeMax = 2_000
/**
 * Up to this many instructions times characters, RE2JS may build an automaton. That is much faster, except for patterns
 * that need a new state for each character (`a[ab]{200}c`): these take ten times as long as without.
 */
const automatonWorkMax = 100_000

/** A cache: a hostile pattern takes tens of milliseconds to compile, and may be used once per value. */
const compiled = new Map<string, Pattern | { readonly fault: string }>()
const compiledMax = 200

/** Compiles a pattern, with a cache. A fault is returned as a sentence for the author of the file. */
export function readPattern(pattern: string): Pattern | { readonly fault: string } {
  if (pattern.length > patternLengthMax)
    return { fault: `a pattern has at most ${patternLengthMax} characters` }
  let reading = compiled.get(pattern)
  if (reading === undefined) {
    reading = compile(pattern)
    if (compiled.size >= compiledMax) compiled.clear()
    compiled.set(pattern, reading)
  }
  return reading
}

function compile(pattern: string): Pattern | { readonly fault: string } {
  try {
    const compiled = RE2JS.compile(pattern)
    const size = compiled.programSize()
    if (size > patternSizeMax) {
      return {
        fault: `${JSON.stringify(pattern)} repeats too much: a pattern has at most ${patternSizeMax} parts`,
      }
    }
    const test = (text: string): boolean =>
      text.length * size > automatonWorkMax ? compiled.matcher(text).find() : compiled.test(text)
    return { test, size }
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'no pattern'
    return { fault: `${JSON.stringify(pattern)} is not a pattern (RE2 syntax): ${reason}` }
  }
}
