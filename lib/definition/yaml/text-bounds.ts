import { Lexer } from 'yaml'
import { limits } from '#lib/core/limits.ts'

export interface TextFault {
  readonly at: number
  readonly message: string
}

/** Marker that the lexer puts before a document. */
const documentMark = '\u0002'
const flowEndMark = '\u0018'
const scalarMark = '\u001F'

/**
 * Splits a text into its lexical tokens, unless it is larger or more deeply nested than a DAG file may be. The parser
 * that comes after is safe only within these limits: it is recursive, and slow on anchors.
 */
export function cutText(text: string): { readonly pieces: string[] } | { readonly fault: TextFault } {
  const outer = textFault(text)
  if (outer !== undefined) return { fault: outer }
  const counts = new GraphCounts()
  const pieces: string[] = []
  let at = 0
  for (const piece of new Lexer().lex(text)) {
    const message = counts.count(piece)
    if (message !== undefined) return { fault: { at, message } }
    pieces.push(piece)
    if (piece !== documentMark && piece !== flowEndMark && piece !== scalarMark) at += piece.length
  }
  return { pieces }
}

/** The tokens that stand outside of scalars, each with its offset in the text. */
export function* tokensOutsideScalars(pieces: readonly string[]): Generator<{ text: string; start: number }> {
  let start = 0
  let isScalar = false
  for (const piece of pieces) {
    if (piece === scalarMark) isScalar = true
    else if (piece !== documentMark && piece !== flowEndMark) {
      if (!isScalar) yield { text: piece, start }
      isScalar = false
      start += piece.length
    }
  }
}

function textFault(text: string): TextFault | undefined {
  const tooLong =
    text.length > limits.specBytesMax ||
    (text.length * 3 > limits.specBytesMax && new TextEncoder().encode(text).length > limits.specBytesMax)
  if (tooLong) return { at: 0, message: `a DAG file has at most ${limits.specBytesMax} bytes` }
  const nul = text.indexOf('\0')
  if (nul >= 0) return { at: nul, message: 'a DAG file must not hold NUL characters' }
  if (!text.isWellFormed()) return { at: 0, message: 'a DAG file must not hold halves of surrogate pairs' }
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines > limits.specLinesMax)
      return { at, message: `a DAG file has at most ${limits.specLinesMax} lines` }
  }
  return undefined
}

/** The parser reports each of them as an error, and a text can contain a million. */
function badEscape(quoted: string): string | undefined {
  for (let at = quoted.indexOf('\\'); at >= 0; at = quoted.indexOf('\\', at + 2)) {
    const escape = quoted.slice(at, at + 10)
    if (/^\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/.test(escape))
      continue
    return `${JSON.stringify(escape.slice(0, 2))} means nothing in double quotes; write \\\\ for a backslash`
  }
  return undefined
}

/** Kinds of tokens that are counted, with their limits. */
const counted = {
  pieces: limits.specPiecesMax,
  values: limits.specNodesMax,
  // A document may be announced twice: by its first line, and by the marker before it.
  documents: 2 * limits.specDocumentsMax,
  anchors: limits.specAliasesMax,
  aliases: limits.specAliasesMax,
  tags: limits.specAliasesMax,
}

/** Tokens between values. */
const marks = new Set([':', '-', '?', ',', ']', '}'])

class GraphCounts {
  readonly #counts = { pieces: 0, values: 0, documents: 0, anchors: 0, aliases: 0, tags: 0 }
  readonly #depth = new Depth()
  #isScalar = false

  /** Counts the next token. @returns the limit that is exceeded, as a sentence */
  count(piece: string): string | undefined {
    const tooMany = this.#add('pieces')
    if (tooMany !== undefined) return tooMany
    if (!this.#isScalar) return this.#take(piece)
    this.#isScalar = false
    return this.#value(piece)
  }

  #take(piece: string): string | undefined {
    switch (piece.charAt(0)) {
      case scalarMark:
        this.#isScalar = true
        return undefined
      case documentMark:
        this.#depth.reset()
        return this.#add('documents')
      case '&':
        this.#depth.other(piece)
        return this.#add('anchors')
      case '!':
        this.#depth.other(piece)
        return this.#add('tags')
      case '*':
        return this.#add('aliases') ?? this.#value(piece)
      case '\n':
      case '\r':
      case ' ':
      case '\t':
        this.#depth.blank(piece)
        return undefined
      case '#':
      case '%':
      case flowEndMark:
        this.#depth.other(piece)
        return undefined
      case '"':
        return badEscape(piece) ?? this.#value(piece)
      default:
        if (piece !== '---') return this.#value(piece)
        this.#depth.reset()
        return this.#add('documents')
    }
  }

  #value(piece: string): string | undefined {
    const tooDeep =
      this.#depth.piece(piece) > limits.specDepthMax
        ? `a DAG file is nested at most ${limits.specDepthMax} levels deep`
        : undefined
    return tooDeep ?? (marks.has(piece) ? undefined : this.#add('values'))
  }

  #add(kind: keyof typeof counted): string | undefined {
    this.#counts[kind] += 1
    if (this.#counts[kind] <= counted[kind]) return undefined
    if (kind === 'pieces') return 'a DAG file of this many words and lines is too large'
    const most = kind === 'documents' ? limits.specDocumentsMax : counted[kind]
    return `a DAG file has at most ${most} ${kind}`
  }
}

/**
 * An upper bound of the nesting depth: open brackets, plus columns further right than those of the enclosing lines and
 * dashes, counted twice, because a list may be in the same column as its key.
 */
class Depth {
  #flow = 0
  #column = 0
  #starts = true
  readonly #columns: number[] = []

  reset(): void {
    this.#flow = 0
    this.#column = 0
    this.#starts = true
    this.#columns.length = 0
  }

  blank(piece: string): void {
    if (piece.includes('\n')) {
      this.#column = 0
      this.#starts = true
    } else this.#column += piece.length
  }

  other(piece: string): void {
    this.#column += piece.length
  }

  piece(piece: string): number {
    if (piece === '[' || piece === '{') this.#flow += 1
    else if (piece === ']' || piece === '}') this.#flow = Math.max(0, this.#flow - 1)
    const opensBlock = piece === '-' || piece === '?' || piece === ':'
    if (this.#flow === 0 && (this.#starts || opensBlock)) this.#stepTo(this.#column)
    this.#starts = opensBlock || piece.endsWith('\n')
    const broken = piece.lastIndexOf('\n')
    this.#column = broken < 0 ? this.#column + piece.length : piece.length - broken - 1
    return this.#flow + 2 * this.#columns.length
  }

  #stepTo(column: number): void {
    while ((this.#columns.at(-1) ?? -1) > column) this.#columns.pop()
    if ((this.#columns.at(-1) ?? -1) < column) this.#columns.push(column)
  }
}
