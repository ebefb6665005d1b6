import { Chunk, MergeView } from '@codemirror/merge'
import { EditorState, Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { mergeTexts, type ChangedLines } from '../../model/merge-texts.ts'
import { editing, lockedWhen, showing } from './editor-setup.ts'
import { shadowOf } from './shadow-of.ts'

export interface MergeProps {
  readonly base: string
  readonly mine: string
  readonly theirs: string
  /** Which text stands beside the merged one. */
  readonly beside: 'theirs' | 'mine' | 'base'
  /** @param conflicts how often both have changed the same lines; told with the first text */
  readonly onMerged: (text: string, conflicts?: number) => void
}

/** Two texts that were made of one, and a third that is made of both. */
export function MergeTexts(props: MergeProps) {
  const { base, mine, theirs, beside } = props
  const host = useRef<HTMLDivElement>(null)
  const merged = useRef<string>(undefined)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    if (host.current === null) return undefined
    if (merged.current === undefined) {
      const first = mergeTexts(
        { base, mine, theirs },
        { mine: changedLines(base, mine), theirs: changedLines(base, theirs) },
      )
      merged.current = first.text
      latest.current.onMerged(first.text, first.conflicts)
    }
    const root = shadowOf(host.current)
    const doc = props[beside]
    const arrowName = EditorState.phrases.of({ 'Revert this chunk': 'Take over from the left' })
    const view = new MergeView({
      a: { doc, extensions: [arrowName, showing(`Text beside: ${beside}`), lockedWhen(true)] },
      b: {
        doc: merged.current,
        extensions: [
          arrowName,
          showing('Merged'),
          editing(),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return
            merged.current = state.doc.toString()
            latest.current.onMerged(merged.current)
          }),
        ],
      },
      parent: root,
      root,
      revertControls: 'a-to-b',
      collapseUnchanged: { margin: 3, minSize: 6 },
    })
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, arrowSheet()]
    return () => view.destroy()
  }, [base, mine, theirs, beside])
  return <div ref={host} class="spec-editor spec-editor-merge" />
}

/** The arrows between both texts are as large as a finger needs. */
function arrowSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    .cm-mergeView .cm-merge-revert { width: 28px; background: var(--panel) }
    .cm-mergeView .cm-merge-revert button { min-height: 24px; margin-top: -4px; color: var(--ink) }
  `)
  return sheet
}

/** The lines that a text changed of another, counted from 0. */
function changedLines(before: string, after: string): ChangedLines[] {
  const [a, b] = [before, after].map((text) => Text.of(text.split('\n'))) as [Text, Text]
  const lineOf = (text: Text, at: number): number =>
    at > text.length ? text.lines : text.lineAt(at).number - 1
  return Chunk.build(a, b).map(({ fromA, toA, fromB, toB }) => ({
    from: lineOf(a, fromA),
    to: toA === fromA ? lineOf(a, fromA) : lineOf(a, toA),
    fromOther: lineOf(b, fromB),
    toOther: toB === fromB ? lineOf(b, fromB) : lineOf(b, toB),
  }))
}
