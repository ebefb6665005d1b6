import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Takes over texts that are inserted as a whole, by dictation or by tools: for more than one line the browser would
 * make elements with styles of their own, which the policy of the page refuses.
 */
export const insertingWhole = (): Extension =>
  EditorView.domEventHandlers({
    focus(_, view) {
      setTimeout(() => takeSelection(view))
    },
    beforeinput({ inputType, data, isComposing }, view) {
      if (inputType !== 'insertText' || isComposing || !data?.includes('\n') || view.state.readOnly)
        return false
      takeSelection(view)
      view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.paste', scrollIntoView: true })
      return true
    },
  })

/**
 * Makes the selection of the page that of the editor. The editor learns of it only later, and restores
 * its own before, when it comes together with the focus.
 */
function takeSelection(view: EditorView): void {
  const root = view.root as { readonly getSelection?: () => Selection | null }
  const selection = root.getSelection?.()
  if (!view.hasFocus || !selection || selection.rangeCount === 0 || selection.isCollapsed) return
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0)
  if (!view.contentDOM.contains(startContainer) || !view.contentDOM.contains(endContainer)) return
  const from = view.posAtDOM(startContainer, startOffset)
  const to = view.posAtDOM(endContainer, endOffset)
  const { viewport, state } = view
  // Selecting all visible text means the whole text, only a part of which is rendered.
  const isAll = from <= viewport.from && to >= viewport.to
  view.dispatch({ selection: isAll ? { anchor: 0, head: state.doc.length } : { anchor: from, head: to } })
}
