import { insideSingleQuotes } from './quoted-program.ts'
import { bounded, readReference } from './reference.ts'
import type { Scope } from './scope.ts'
import { fillQuoted, innermost, rewrite, ShellValues, type Walk } from './shell-rewrite.ts'
import { type Frame, hereDocumentAt, hereDocumentEnd, isCode, openFrame, startsCase } from './shell-syntax.ts'

/** Programs for a POSIX shell, and the variables that they need besides those of the scope. */
export interface ShellTexts {
  readonly texts: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Rewrites what a shell cannot look up itself (`${NAME.path}`, `${id.stdout}`, slices of these, names with dashes) into
 * references to generated variables. No value ever becomes part of a text: it is passed in `env`, so it cannot be
 * executed. Everything else is left as written. The shell must get `$1`… as its arguments, and the variables of the
 * scope as its environment.
 * @throws ServiceError `bad_request` when the values together are too long
 */
export function shellTexts(texts: readonly string[], scope: Scope): ShellTexts {
  if (!texts.some((text) => mayRefer.test(text))) return { texts, env: {} }
  const values = new ShellValues(texts, bounded(scope))
  return { texts: texts.map((text) => rewritten(text, values)), env: values.env }
}

function rewritten(text: string, values: ShellValues): string {
  if (!mayRefer.test(text)) return text
  const walk: Walk = { text, values, frames: [openFrame('code')], here: [], depth: 0, out: [], copied: 0 }
  walkRange(walk, 0, text.length)
  walk.out.push(text.slice(walk.copied))
  return walk.out.join('')
}

/** Deeper nesting is left as written; the shell will refuse references there. */
const nestingMax = 256
const documentNestingMax = 16

const mayRefer = /\$(?:\{[A-Za-z0-9_]|[A-Za-z0-9_]+[.[]|\d\d)/

function walkRange(walk: Walk, from: number, until: number): void {
  let at = from
  while (at < until && walk.frames.length <= nestingMax) at = readOne(walk, at, until)
}

/** Reads one token. @returns the offset of the next */
function readOne(walk: Walk, at: number, until: number): number {
  const { kind } = innermost(walk)
  switch (walk.text.charAt(at)) {
    case '\\':
      return at + 2
    case '$':
      return readDollar(walk, at, until)
    case '`':
      return readBacktick(walk, at)
    case '"':
      return readDoubleQuote(walk, at)
    case "'":
      return readSingleQuote(walk, at, until)
    case '}':
      if (kind === 'parameter') walk.frames.pop()
      return at + 1
    default:
      return kind === 'arithmetic'
        ? readArithmetic(walk, at)
        : isCode(kind)
          ? readCode(walk, at, until)
          : at + 1
  }
}

function readBacktick(walk: Walk, at: number): number {
  const open = walk.frames.findLastIndex((frame) => frame.kind === 'backtick')
  if (open < 0) walk.frames.push(openFrame('backtick'))
  else walk.frames.splice(open)
  return at + 1
}

function readDoubleQuote(walk: Walk, at: number): number {
  const { kind } = innermost(walk)
  if (kind === 'double') walk.frames.pop()
  else if (isCode(kind) || kind === 'parameter') walk.frames.push(openFrame('double', true))
  return at + 1
}

function readSingleQuote(walk: Walk, at: number, until: number): number {
  const { kind, quoted } = innermost(walk)
  if (!isCode(kind) && (kind !== 'parameter' || quoted)) return at + 1
  const close = walk.text.indexOf("'", at + 1)
  const end = close < 0 || close >= until ? until : close
  if (!walk.text.slice(at, end).includes('$')) return end + 1
  const program = insideSingleQuotes(walk.text.slice(Math.max(0, at - 200), at))
  if (program === 'shell') walkInnerProgram(walk, at + 1, end)
  if (program === 'none') fillQuoted(walk, at + 1, end, "'")
  return end + 1
}

/** `sh -c '…'`: the inner shell inherits the generated variables, so their names are inserted. */
function walkInnerProgram(walk: Walk, from: number, until: number): void {
  const { frames, here } = walk
  walk.frames = [openFrame('code')]
  walk.here = []
  walkRange(walk, from, until)
  walk.frames = frames
  walk.here = here
}

function readDollar(walk: Walk, at: number, until: number): number {
  const { text } = walk
  const { kind, quoted } = innermost(walk)
  if (text.startsWith('$((', at)) {
    walk.frames.push(openFrame('arithmetic'))
    return at + 3
  }
  if (text[at + 1] === '(') {
    walk.frames.push(openFrame('substitution'))
    return at + 2
  }
  if (text[at + 1] === "'" && isCode(kind)) return readAnsiQuote(walk, at + 2, until)
  const reference = readReference(text, at, walk.values.scope)
  if (reference !== undefined && (reference.end ?? reference.headEnd) <= until) {
    const end = rewrite(walk, at, reference)
    if (end !== undefined) return end
  }
  if (text[at + 1] !== '{') return at + (text[at + 1] === '$' ? 2 : 1)
  walk.frames.push(openFrame('parameter', quoted || kind === 'double' || kind === 'heredoc'))
  return at + 2
}

/** bash's `$'…'`, in which a backslash escapes the next character. */
function readAnsiQuote(walk: Walk, from: number, until: number): number {
  const closing = /'|\\[^]/g
  closing.lastIndex = from
  let mark = closing.exec(walk.text)
  while (mark !== null && mark[0] !== "'") mark = closing.exec(walk.text)
  const end = mark === null || mark.index >= until ? until : mark.index
  fillQuoted(walk, from, end, "$'")
  return end + 1
}

function readArithmetic(walk: Walk, at: number): number {
  const arithmetic = innermost(walk)
  if (walk.text[at] === '(') arithmetic.parens += 1
  if (walk.text[at] !== ')') return at + 1
  if (arithmetic.parens > 0) {
    arithmetic.parens -= 1
    return at + 1
  }
  walk.frames.pop()
  if (walk.text[at + 1] === ')') return at + 2
  // It was `$( (…) …)` after all: one parenthesis is closed, the substitution continues.
  walk.frames.push(openFrame('substitution'))
  return at + 1
}

function readCode(walk: Walk, at: number, until: number): number {
  const { text } = walk
  const current = innermost(walk)
  const atWord = at === 0 || /[\s;&|()`]/.test(text.charAt(at - 1))
  switch (text.charAt(at)) {
    case '\n':
      return readHereDocuments(walk, at + 1, until)
    case '#':
      return atWord ? commentEnd(text, at, until, current.kind) : at + 1
    case '(':
      current.parens += 1
      return at + 1
    case ')':
      return closeParenthesis(walk, at)
    case '<': {
      const here = hereDocumentAt(text, at)
      if (here === undefined) return text.startsWith('<<<', at) ? at + 3 : at + 1
      walk.here.push(here)
      return here.end
    }
    case 'c':
      if (atWord && startsCase(text, at)) current.cases.push(current.parens)
      return at + 1
    case 'e':
      if (atWord && /^esac\b/.test(text.slice(at, at + 5))) current.cases.pop()
      return at + 1
    default:
      return at + 1
  }
}

function commentEnd(text: string, at: number, until: number, kind: Frame['kind']): number {
  const closing = kind === 'backtick' ? /[\n`]/ : /\n/
  const size = text.slice(at, until).search(closing)
  return size < 0 ? until : at + size
}

function closeParenthesis(walk: Walk, at: number): number {
  const current = innermost(walk)
  const isPattern = current.cases.at(-1) === current.parens
  if (isPattern) return at + 1
  if (current.parens > 0) current.parens -= 1
  else if (current.kind === 'substitution') walk.frames.pop()
  return at + 1
}

/** Reads the here-documents that begin after the current line. With a quoted delimiter, nothing is inserted. */
function readHereDocuments(walk: Walk, from: number, until: number): number {
  const documents = walk.here
  walk.here = []
  let at = from
  for (const here of documents) {
    const body = hereDocumentEnd(walk.text, at, until, here)
    if (!here.quoted && walk.depth < documentNestingMax) {
      const { frames } = walk
      walk.frames = [openFrame('heredoc', true)]
      walk.depth += 1
      walkRange(walk, at, body.end)
      walk.depth -= 1
      walk.frames = frames
      walk.here = []
    }
    at = body.next
  }
  return at
}
