import { Composer, LineCounter, Parser, type Document, type YAMLParseError } from 'yaml'
import { limits } from '#lib/core/limits.ts'
import { Faults } from '#lib/definition/reading/faults.ts'
import { loadNode } from './load-node.ts'
import type { SpecNode } from './spec-node.ts'
import { cutText } from './text-bounds.ts'

export interface Documents {
  /** The documents of a text. Empty ones are left out, except the first. */
  readonly roots: readonly SpecNode[]
  readonly faults: Faults
}

/** The parser must create no values, resolve no tags, and not compare every key with every other (quadratic). */
export const composing = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const

const nothing: SpecNode = { kind: 'scalar', at: 0, end: 0, value: null, text: '' }

/** Parses YAML. Never throws: errors become faults, and a document with syntax errors counts as empty. */
export function readDocuments(text: string): Documents {
  const faults = new Faults(positions(text))
  const cut = cutText(text)
  if ('fault' in cut) {
    faults.add(cut.fault.at, cut.fault.message)
    return { roots: [], faults }
  }
  const roots: SpecNode[] = []
  const composer = new Composer(composing)
  let documents = 0
  for (const { errors, contents, range } of compose(composer, cut.pieces)) {
    documents += 1
    if (documents > limits.specDocumentsMax) {
      faults.add(range[0], `a DAG file has at most ${limits.specDocumentsMax} documents`)
      break
    }
    report(errors, faults)
    const root = errors.length > 0 ? nothing : loadNode(contents, faults)
    if (roots.length === 0 || root.kind !== 'scalar' || root.value !== null) roots.push(root)
  }
  report(composer.streamInfo().errors, faults)
  return { roots, faults }
}

/** The documents of a text that is within its bounds. */
export function* compose(composer: Composer, pieces: readonly string[]): Generator<Document.Parsed> {
  const parser = new Parser()
  for (const piece of pieces) {
    for (const token of parser.next(piece)) yield* composer.next(token)
  }
  for (const token of parser.end()) yield* composer.next(token)
  yield* composer.end()
}

function report(errors: readonly YAMLParseError[], faults: Faults): void {
  for (const error of errors) faults.add(error.pos[0], () => syntaxFault(error), error.pos[1])
}

/** Lines are counted only when there is a fault to report. */
function positions(text: string): (offset: number) => { line: number; column: number } {
  const lines = new LineCounter()
  return (offset) => {
    if (lines.lineStarts.length === 0) {
      lines.addNewLine(0)
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
    }
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line, column: col }
  }
}

const sentences: Readonly<Partial<Record<YAMLParseError['code'], string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'a second key on the same line; put the value in quotes, or begin a new line',
  TAB_AS_INDENT: 'a tab cannot indent a line, use blanks',
}

function syntaxFault({ code, message }: YAMLParseError): string {
  return `not YAML: ${sentences[code] ?? message.slice(0, 200)}`
}
