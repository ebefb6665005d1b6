import { RE2JS } from 're2js'

/** What follows `re:`; the syntax of RE2, which matches in linear time, so that no pattern can hold up the service. */
export interface Pattern {
  /** Whether the pattern matches anywhere in the text. */
  readonly test: (text: string) => boolean
}

const patternLengthMax = 1_000

/** Compiles a pattern; what is wrong with it comes back as a sentence for the author of the file. */
export function readPattern(pattern: string): Pattern | { readonly fault: string } {
  if (pattern.length > patternLengthMax)
    return { fault: `a pattern has at most ${patternLengthMax} characters` }
  try {
    const compiled = RE2JS.compile(pattern)
    return { test: (text) => compiled.test(text) }
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'no pattern'
    return { fault: `${JSON.stringify(pattern)} is no pattern (RE2 syntax): ${reason}` }
  }
}
