import { Compartment, EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { completing, type Completing } from './complete-source.ts'
import { editing, lockedWhen, showing } from './editor-setup.ts'
import { marking, offsetOf, type MarkedProblem } from './problem-marks.ts'
import { shadowOf } from './shadow-of.ts'

/** The actions of the editor for other components. */
export interface EditorHandle {
  /** Puts the cursor somewhere, counted from 1, in view and with the focus; without a column to the first word. */
  readonly goTo: (line: number, column?: number) => void
  /** Replaces the whole text, which can be undone. */
  readonly replace: (text: string) => void
}

export interface SpecEditorProps extends Completing {
  /** The initial text; later texts are set by its handle. */
  readonly text: string
  readonly isReadOnly: boolean
  /** Of the text as it is now. */
  readonly problems: readonly MarkedProblem[]
  readonly handle: RefObject<EditorHandle | undefined>
  readonly onText: (text: string) => void
  /** @param offset of the cursor @param line of it, counted from 1 */
  readonly onCursor: (offset: number, line: number) => void
}

const help = 'Tab inserts two blanks. To leave the editor, press Escape and then Tab.'

/** A text of YAML that is edited. It is in a shadow root, where its sheets need no exception from the policy. */
export function SpecEditor(props: SpecEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(props)
  latest.current = props
  const lock = useRef(new Compartment())
  useEffect(() => {
    if (host.current === null) return undefined
    view.current = createEditor(host.current, latest, lock.current)
    props.handle.current = handleOf(view.current)
    return () => {
      view.current?.destroy()
      props.handle.current = undefined
    }
  }, [])
  useEffect(() => {
    if (view.current?.state.readOnly === props.isReadOnly) return
    view.current?.dispatch({ effects: lock.current.reconfigure(lockedWhen(props.isReadOnly)) })
  }, [props.isReadOnly])
  useEffect(() => {
    const { current } = view
    const marks = current && marking(current.state, props.problems)
    if (marks !== undefined) current?.dispatch(marks)
  }, [props.problems])
  return <div ref={host} class="spec-editor" />
}

function createEditor(
  host: HTMLElement,
  latest: RefObject<SpecEditorProps> & { current: SpecEditorProps },
  lock: Compartment,
): EditorView {
  const root = shadowOf(host)
  const { text, isReadOnly } = latest.current
  const state = EditorState.create({
    doc: text,
    extensions: [
      completing(() => latest.current),
      showing('Spec', help),
      editing(),
      lock.of(lockedWhen(isReadOnly)),
      EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
        if (docChanged) latest.current.onText(state.doc.toString())
        if (!docChanged && !selectionSet) return
        const { head } = state.selection.main
        latest.current.onCursor(head, state.doc.lineAt(head).number)
      }),
    ],
  })
  return new EditorView({ state, parent: root, root })
}

const handleOf = (view: EditorView): EditorHandle => ({
  goTo(line, column) {
    const { doc } = view.state
    const text = doc.line(Math.min(Math.max(1, line), doc.lines)).text
    const at = offsetOf(doc, line, column ?? 1 + text.search(/[^\s-]|$/))
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
    view.focus()
  },
  replace(text) {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
  },
})
