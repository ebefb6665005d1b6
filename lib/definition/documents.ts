import { Composer, LineCounter, Parser, type Document, type YAMLParseError } from 'yaml'
import { limits } from '#lib/core/limits.ts'
import { Faults } from './faults.ts'
import { loadNode } from './load-node.ts'
import type { SpecNode } from './spec-node.ts'
import { cutText } from './text-bounds.ts'

export interface Documents {
  /** The documents of a text; those without content are left out, except the first. */
  readonly roots: readonly SpecNode[]
  readonly faults: Faults
}

/** The parser makes no values and resolves no tags, and must not compare every key with every other. */
const composing = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const

const nothing: SpecNode = { kind: 'scalar', at: 0, value: null, text: '' }

/** Reads YAML. Never throws: what is wrong is among the faults, and a document with faults of syntax is empty. */
export function readDocuments(text: string): Documents {
  const faults = new Faults(positions(text))
  const cut = cutText(text)
  if ('fault' in cut) {
    faults.add(cut.fault.at, cut.fault.message)
    return { roots: [], faults }
  }
  const roots: SpecNode[] = []
  let documents = 0
  for (const document of compose(cut.pieces)) {
    if (document instanceof Array) {
      for (const error of document) faults.add(error.pos[0], () => syntaxFault(error))
      continue
    }
    const { errors, contents } = document
    for (const error of errors) faults.add(error.pos[0], () => syntaxFault(error))
    documents += 1
    if (documents > limits.specDocumentsMax) {
      faults.add(document.range[0], `a DAG file has at most ${limits.specDocumentsMax} documents`)
      return { roots, faults }
    }
    const root = errors.length > 0 ? nothing : loadNode(contents, faults)
    if (roots.length === 0 || root.kind !== 'scalar' || root.value !== null) roots.push(root)
  }
  return { roots, faults }
}

/** The documents as the parser gives them, and last the faults that belong to none. */
function* compose(pieces: readonly string[]): Generator<Document.Parsed | YAMLParseError[]> {
  const parser = new Parser()
  const composer = new Composer(composing)
  for (const piece of pieces) {
    for (const token of parser.next(piece)) yield* composer.next(token)
  }
  for (const token of parser.end()) yield* composer.next(token)
  yield* composer.end()
  yield composer.streamInfo().errors
}

/** Lines are only counted when there is a fault to place. */
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
