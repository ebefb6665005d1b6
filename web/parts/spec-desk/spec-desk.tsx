import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import type { StoredText } from '../../data/spec-calls.ts'
import { Failure } from '../load-state/load-state.tsx'
import { LazyEditor } from '../spec-editor/lazy-editor.tsx'
import { DeskTabs, type DeskTab } from './desk-tabs.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { ProblemList } from './problem-list.tsx'
import { useCompleting } from './use-completing.ts'
import { useDesk, type DeskProps } from './use-desk.ts'

type Desk = ReturnType<typeof useDesk>

/** The editor of a DAG with checks, plan, comparison and saving. */
export function SpecDesk(props: DeskProps) {
  const desk = useDesk(props)
  const [tab, setTab] = useState<DeskTab>('Graph')
  const { base, text, draft, saving } = desk
  const { offered } = draft
  return (
    <section class="spec-desk" aria-label="Editor">
      <Bar desk={desk} refusal={props.refusal} tools={props.tools} />
      {offered !== undefined && (
        <DraftOffer
          draft={offered}
          isOutdated={offered.base !== undefined && offered.base.text !== base.text}
          onContinue={desk.takeDraft}
          onCompare={() => setTab('Changes')}
          onDiscard={() => {
            draft.settle()
            draft.forget()
          }}
        />
      )}
      {saving.error !== undefined && <Failure error={saving.error} what="Not saved" />}
      <Parts desk={desk} fileName={props.fileName} tab={tab} onTab={setTab} />
      {saving.theirs !== undefined && (
        <MergeDialog
          key={saving.theirs.tag}
          base={base.text}
          mine={text}
          theirs={saving.theirs.text}
          isPending={saving.isPending}
          onSave={(merged) => saving.saveMerged(merged)}
          onClose={saving.giveUp}
        />
      )}
    </section>
  )
}

interface BarProps {
  readonly desk: Desk
  readonly refusal: DeskProps['refusal']
  readonly tools: DeskProps['tools'] | undefined
}

function Bar({ desk: { saving, draft, text, base, replace }, refusal, tools }: BarProps) {
  return (
    <div class="spec-desk-bar">
      <Button
        isMain
        isPending={saving.isPending}
        refusal={refusal ?? (draft.offered && 'first decide what to do with the draft')}
        onPress={() => saving.save()}
      >
        Save
      </Button>
      {tools?.(replace)}
      <span class="spec-desk-state quiet">{refusal ?? stateText(text, base, draft.isKept)}</span>
    </div>
  )
}

interface PartsProps {
  readonly desk: Desk
  readonly fileName: string
  readonly tab: DeskTab
  readonly onTab: (tab: DeskTab) => void
}

/** The text with its problems, and the tabs next to it. */
function Parts({ desk, fileName, tab, onTab }: PartsProps) {
  const { text, problems, checked, editor, draft } = desk
  const completing = useCompleting()
  return (
    <div class="spec-desk-parts">
      <div class="spec-desk-text">
        <LazyEditor
          text={text}
          isReadOnly={desk.isLocked}
          problems={problems}
          handle={editor}
          onText={desk.setText}
          onCursor={(offset, line) => desk.setCursor({ offset, line })}
          {...completing}
        />
        <ProblemList
          problems={problems}
          isChecked={checked.findings?.text === text}
          error={checked.error}
          onOpen={desk.goTo}
        />
      </div>
      <div class="spec-desk-side">
        <DeskTabs
          open={tab}
          onOpen={onTab}
          text={draft.offered?.text ?? text}
          before={desk.base.text}
          name={desk.name}
          fileName={fileName}
          cursor={desk.cursor}
          schema={completing.schema}
          findings={checked.findings}
          onLine={(line) => editor.current?.goTo(line)}
        />
      </div>
    </div>
  )
}

function stateText(text: string, base: StoredText, isKept: boolean): string {
  if (text === base.text) return base.tag === '' ? '' : 'Saved'
  return isKept ? 'Not saved; this browser keeps a draft' : 'Not saved; this browser keeps no draft'
}
