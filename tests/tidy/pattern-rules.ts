import { parseSync, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'
import type { Rule } from './rules.ts'

interface Literal {
  readonly source: string
  readonly flags: string
  readonly line: number
}

/**
 * Regular expressions of the product take linear time, whatever the text is. Two checks: an analysis of what the
 * repetition of one character does, and trials with repetitions of two.
 */
export const patternsAreLinear: Rule = (tree) =>
  [...tree]
    .filter(([path]) => /^(lib|functions|local)\/.*\.(ts|mjs)$/.test(path))
    .flatMap(([path, text]) =>
      literalsOf(path, text).flatMap((literal) => {
        const why = slowness(literal)
        const { source, flags, line } = literal
        return why === undefined
          ? []
          : [`${path}:${line}: /${source}/${flags} is not linear in ${why.slice(0, 200)}`]
      }),
    )

function literalsOf(path: string, text: string): Literal[] {
  const found: Literal[] = []
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const line = text.slice(0, node.start).split('\n').length
      found.push({ source: node.regex.pattern, flags: node.regex.flags, line })
    },
  })
  visitor.visit(parseSync(path, text).program)
  return found
}

function slowness({ source, flags }: Literal): string | undefined {
  const [report] = analyse({ source, flags }).reports
  if (report !== undefined) return `repetitions of ${report.character.literal.source}`
  const pair = pairsOf(source).find((one) => isSlow(new RegExp(source, flags), one))
  return pair === undefined ? undefined : `repetitions of ${JSON.stringify(pair)}`
}

/** Two characters that the pattern names, or that stand for the usual classes. */
function pairsOf(source: string): string[] {
  const named = source.replaceAll(/[\^$.*+?()[\]{}|-]|\\[a-zA-Z]/g, '')
  const characters = [...new Set(`${named}a0 \n`)].slice(0, 12)
  return characters.flatMap((one) => characters.filter((other) => other !== one).map((other) => one + other))
}

/** A linear pattern takes microseconds for this text, a quadratic one tens of milliseconds. */
function isSlow(pattern: RegExp, pair: string): boolean {
  const text = pair.repeat(5_000)
  return [1, 2, 3].every(() => {
    const start = process.cpuUsage()
    text.replace(pattern, '')
    return process.cpuUsage(start).user > 8_000
  })
}
