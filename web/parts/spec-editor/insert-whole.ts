import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Takes over texts that are inserted as a whole, by dictation or by tools: for more than one line the browser would make
 * elements with styles of their own, which the policy of the page refuses.
 */
export const insertingWhole = (): Extension =>
  EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { inputType, data, isComposing } = event
      if (inputType !== 'insertText' || isComposing || !data?.includes('\n') || view.state.readOnly)
        return false
      event.preventDefault()
      const { from, to } = replacedBy(event, view)
      const insert = view.state.toText(data)
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        userEvent: 'input.paste',
        scrollIntoView: true,
      })
      return true
    },
  })

/** What is selected. All that is shown counts as the whole text, of which the rest is not in the page. */
function replacedBy(event: InputEvent, view: EditorView): { from: number; to: number } {
  const [range] = event.getTargetRanges()
  if (range === undefined) return view.state.selection.main
  const from = view.posAtDOM(range.startContainer, range.startOffset)
  const to = view.posAtDOM(range.endContainer, range.endOffset)
  const { viewport, state } = view
  return from <= viewport.from && to >= viewport.to ? { from: 0, to: state.doc.length } : { from, to }
}
