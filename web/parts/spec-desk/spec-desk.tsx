import type { ComponentChildren } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import type { Saving, StoredText } from '../../data/spec-calls.ts'
import { Failure } from '../load-state/load-state.tsx'
import { LazyEditor } from '../spec-editor/lazy-editor.tsx'
import type { MarkedProblem } from '../spec-editor/problem-marks.ts'
import type { EditorHandle } from '../spec-editor/spec-editor.tsx'
import { DeskTabs, type DeskTab } from './desk-tabs.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { ProblemList } from './problem-list.tsx'
import { useCompleting } from './use-completing.ts'
import { useDeskKeys } from './use-desk-keys.ts'
import { useDraft } from './use-draft.ts'
import { useFindings, type Findings } from './use-findings.ts'
import { useSaving } from './use-saving.ts'

interface Props {
  /** Of the DAG; empty: it is not stored yet. */
  readonly fileName: string
  /** What is stored, or what a new text begins with. */
  readonly stored: StoredText
  /** The name that a new DAG shall have, and what takes the one of a draft. */
  readonly naming?: { readonly name: string; readonly onName: (name: string) => void }
  /** Why the text cannot be saved. */
  readonly refusal: string | undefined
  /** @throws Error */
  readonly save: (written: StoredText) => Promise<Saving>
  readonly onSaved: (stored: StoredText) => void
  /** What stands beside the button. @param replace puts another text into the editor */
  readonly tools?: (replace: (text: string) => void) => ComponentChildren
}

/** A DAG as text, with what the service says of it beside: to be written, checked, planned, compared and saved. */
export function SpecDesk({ fileName, stored, naming, refusal, save, onSaved, tools }: Props) {
  const { session } = useData()
  const [base, setBase] = useState(stored)
  const [text, setText] = useState(stored.text)
  const [cursor, setCursor] = useState({ offset: 0, line: 1 })
  const [tab, setTab] = useState<DeskTab>('Graph')
  const editor = useRef<EditorHandle>(undefined)
  const replace = (next: string): void => editor.current?.replace(next)
  const name = naming?.name ?? fileName
  const draft = useDraft(
    { user: session.who.value.name, fileName },
    { text, base, ...(naming !== undefined && { name: naming.name }) },
  )
  const { findings, error } = useFindings(text, name)
  const problems = useProblems(findings)
  const completing = useCompleting()
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
  const { offered } = draft
  const isLocked = refusal !== undefined || offered !== undefined
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
  return (
    <section class="spec-desk" aria-label="Editor">
      <div class="spec-desk-bar">
        <Button
          isMain
          isPending={saving.isPending}
          refusal={refusal ?? (offered && 'first say what shall become of the draft')}
          onPress={saving.save}
        >
          Save
        </Button>
        {tools?.(replace)}
        <span class="spec-desk-state quiet">{refusal ?? stateText(text, base, draft.isKept)}</span>
      </div>
      {offered !== undefined && (
        <DraftOffer
          draft={offered}
          isOutdated={offered.base !== undefined && offered.base.tag !== base.tag}
          onContinue={() => {
            draft.settle()
            if (offered.base !== undefined) setBase(offered.base)
            if (offered.name !== undefined) naming?.onName(offered.name)
            replace(offered.text)
          }}
          onCompare={() => setTab('Changes')}
          onDiscard={() => {
            draft.settle()
            draft.forget()
          }}
        />
      )}
      {saving.error !== undefined && <Failure error={saving.error} what="Not saved" />}
      <div class="spec-desk-parts">
        <div class="spec-desk-text">
          <LazyEditor
            text={text}
            isReadOnly={isLocked}
            problems={problems}
            handle={editor}
            onText={setText}
            onCursor={(offset, line) => setCursor({ offset, line })}
            {...completing}
          />
          <ProblemList problems={problems} isChecked={findings?.text === text} error={error} onOpen={goTo} />
        </div>
        <div class="spec-desk-side">
          <DeskTabs
            open={tab}
            onOpen={setTab}
            text={offered?.text ?? text}
            before={base.text}
            name={name}
            cursor={cursor}
            schema={completing.schema}
            findings={findings}
            onLine={(line) => editor.current?.goTo(line)}
          />
        </div>
      </div>
      {saving.theirs !== undefined && (
        <MergeDialog
          key={saving.theirs.tag}
          base={base.text}
          mine={text}
          theirs={saving.theirs.text}
          isPending={saving.isPending}
          onSave={saving.saveMerged}
          onClose={saving.giveUp}
        />
      )}
    </section>
  )
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

/** The problem after a line, or before it; behind the last comes the first. */
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

function stateText(text: string, base: StoredText, isKept: boolean): string {
  if (text === base.text) return base.tag === '' ? '' : 'Saved'
  return isKept ? 'Not saved; this browser keeps a draft' : 'Not saved; this browser keeps no draft'
}
