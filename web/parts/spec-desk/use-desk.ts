import type { ComponentChildren } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import type { Saving, StoredText } from '../../data/spec-calls.ts'
import type { MarkedProblem } from '../spec-editor/problem-marks.ts'
import type { EditorHandle } from '../spec-editor/spec-editor.tsx'
import { useDeskKeys } from './use-desk-keys.ts'
import { useDraft } from './use-draft.ts'
import { useFindings, type Findings } from './use-findings.ts'
import { useSaving } from './use-saving.ts'

export interface DeskProps {
  /** Of the DAG; empty: it is not stored yet. */
  readonly fileName: string
  /** The stored text, or the template of a new one. */
  readonly stored: StoredText
  /** The name for a new DAG, and how to set that of a draft. */
  readonly naming?: { readonly name: string; readonly onName: (name: string) => void }
  /** Why the text cannot be saved. */
  readonly refusal: string | undefined
  /** @throws Error */
  readonly save: (written: StoredText) => Promise<Saving>
  readonly onSaved: (stored: StoredText) => void
  /** What is next to the button. @param replace puts another text into the editor */
  readonly tools?: (replace: (text: string) => void) => ComponentChildren
}

/** The state of the editor: the text, its findings, and its draft. */
export function useDesk({ fileName, stored, naming, refusal, save, onSaved }: DeskProps) {
  const { session } = useData()
  const [base, setBase] = useState(stored)
  const [text, setText] = useState(stored.text)
  const [cursor, setCursor] = useState({ offset: 0, line: 1 })
  const editor = useRef<EditorHandle>(undefined)
  // An editor that is still loading begins with the text of its props.
  const replace = (next: string): void =>
    editor.current === undefined ? setText(next) : editor.current.replace(next)
  const name = naming?.name ?? fileName
  const draftKey = { user: session.who.value.name, fileName }
  const draft = useDraft(draftKey, { text, base, ...(naming !== undefined && { name }) })
  const checked = useFindings(text, name)
  const problems = useProblems(checked.findings)
  const saving = useSaving({
    text,
    base,
    save,
    onSaved(now) {
      setBase(now)
      if (saving.theirs !== undefined) replace(now.text)
      draft.forget()
      onSaved(now)
    },
  })
  const isLocked = refusal !== undefined || draft.offered !== undefined
  const goTo = ({ line, column }: MarkedProblem): void => {
    if (line !== undefined) editor.current?.goTo(line, column)
  }
  useDeskKeys({
    onSave: () => !isLocked && saving.save(),
    onProblem(step) {
      const next = nextProblem(problems, cursor.line, step)
      if (next !== undefined) goTo(next)
    },
  })
  const takeDraft = (): void => {
    const { offered } = draft
    draft.settle()
    // The same text under another tag: the DAG was only renamed.
    if (offered?.base !== undefined && offered.base.text !== base.text) setBase(offered.base)
    if (offered?.name !== undefined) naming?.onName(offered.name)
    if (offered !== undefined) replace(offered.text)
  }
  return {
    base,
    text,
    setText,
    cursor,
    setCursor,
    editor,
    replace,
    name,
    draft,
    takeDraft,
    checked,
    problems,
    saving,
    isLocked,
    goTo,
  }
}

function useProblems(findings: Findings | undefined): readonly MarkedProblem[] {
  return useMemo(() => {
    const { problems = [], warnings = [] } = findings?.answer ?? {}
    return [
      ...problems.map((one) => ({ ...one, isWarning: false })),
      ...warnings.map((one) => ({ ...one, isWarning: true })),
    ]
  }, [findings])
}

/** The problem after a line, or before it, wrapping around. */
function nextProblem(
  problems: readonly MarkedProblem[],
  line: number,
  step: 1 | -1,
): MarkedProblem | undefined {
  const placed = problems
    .filter((one) => one.line !== undefined)
    .toSorted((one, other) => step * ((one.line ?? 0) - (other.line ?? 0)))
  return placed.find((one) => step * ((one.line ?? 0) - line) > 0) ?? placed[0]
}
