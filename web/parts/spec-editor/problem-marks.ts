import { diagnosticCount, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import type { EditorState, Text, TransactionSpec } from '@codemirror/state'

/** An error or warning at a position counted from 1. */
export interface MarkedProblem {
  readonly message: string
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly isWarning: boolean
}

/**
 * Marks the problems of the text that is shown.
 * @returns undefined when there are no marks and none are shown: each change makes the editor set the selection anew
 */
export function marking(state: EditorState, problems: readonly MarkedProblem[]): TransactionSpec | undefined {
  const diagnostics = problems.flatMap((problem): Diagnostic[] => {
    const { message, line, column = 1, isWarning } = problem
    if (line === undefined || line > state.doc.lines) return []
    const from = offsetOf(state.doc, line, column)
    const to = Math.max(from, endOf(state.doc, problem, from))
    return [{ from, to, message, severity: isWarning ? 'warning' : 'error' }]
  })
  if (diagnostics.length === 0 && diagnosticCount(state) === 0) return undefined
  return setDiagnostics(state, diagnostics)
}

export function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines))
  return Math.min(to, from + column - 1)
}

/** The end of a value, but not beyond its first line; without one, of what is there up to the end of the line. */
function endOf(doc: Text, { endLine, endColumn = 1 }: MarkedProblem, from: number): number {
  const line = doc.lineAt(from)
  const most = line.from + line.text.trimEnd().length
  return endLine === undefined ? most : Math.min(most, offsetOf(doc, endLine, endColumn))
}
