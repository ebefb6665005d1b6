import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { editing, lockedWhen, showing } from './editor-setup.ts'

interface Merging {
  readonly root: ShadowRoot
  /** The text that is compared with the merged one, and its name. */
  readonly other: string
  readonly name: string
  readonly merged: string
  readonly onMerged: (text: string) => void
}

/** Ends a view of two texts. */
type End = () => void

const collapseUnchanged = { margin: 3, minSize: 6 }

const telling = (onMerged: Merging['onMerged']) =>
  EditorView.updateListener.of(({ docChanged, state }) => docChanged && onMerged(state.doc.toString()))

/** The other text at the left, with an arrow for each change. */
export function mergeBeside({ root, other, name, merged, onMerged }: Merging): End {
  const arrowName = EditorState.phrases.of({ 'Revert this chunk': 'Take over from the left' })
  const view = new MergeView({
    a: { doc: other, extensions: [arrowName, showing(`Text beside: ${name}`), lockedWhen(true)] },
    b: { doc: merged, extensions: [arrowName, showing('Merged'), editing(), telling(onMerged)] },
    parent: root,
    root,
    revertControls: 'a-to-b',
    collapseUnchanged,
  })
  addSheet(
    root,
    `.cm-mergeView .cm-merge-revert { width: 28px; background: var(--panel) }
     .cm-mergeView .cm-merge-revert button { min-height: 24px; margin-top: -4px; color: var(--ink) }`,
  )
  return () => view.destroy()
}

/** The lines of the other text within the merged one, struck through, with a button that takes them over. */
export function mergeWithin({ root, other, merged, onMerged }: Merging): End {
  const state = EditorState.create({
    doc: merged,
    extensions: [
      showing('Merged'),
      editing(),
      EditorView.lineWrapping,
      telling(onMerged),
      unifiedMergeView({ original: other, mergeControls: control, collapseUnchanged }),
    ],
  })
  const view = new EditorView({ state, parent: root, root })
  addSheet(
    root,
    `.cm-editor .cm-deletedChunk .cm-chunkButtons { position: static; text-align: end }
     .cm-editor .cm-deletedChunk .cm-chunkButtons button { min-height: 28px; margin: 4px; padding: 0 8px;
       border: 1px solid var(--edge); border-radius: 4px; background: var(--paper); color: var(--ink);
       font: var(--small) }
     .cm-editor .cm-deletedLine del { text-decoration: line-through }`,
  )
  return () => view.destroy()
}

/** The merged text stays unless the other one is taken, so there is nothing to accept. */
function control(kind: 'accept' | 'reject', act: (event: MouseEvent) => void): HTMLElement {
  if (kind === 'accept') return document.createElement('span')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Take these'
  button.addEventListener('mousedown', (event) => event.preventDefault())
  button.addEventListener('click', act)
  return button
}

function addSheet(root: ShadowRoot, text: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
