import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../load-state/load-state.tsx'
import type { CompareProps } from './compare-view.tsx'
import type { MergeProps } from './merge-view.tsx'
import type { SpecEditorProps } from './spec-editor.tsx'

interface Editor {
  readonly CompareView: (props: CompareProps) => JSX.Element
  readonly MergeTexts: (props: MergeProps) => JSX.Element
  readonly SpecEditor: (props: SpecEditorProps) => JSX.Element
}

/** The editor and the comparison of texts, loaded on demand. */
function useEditor(): Editor | undefined {
  const [editor, setEditor] = useState<Editor>()
  useEffect(() => {
    void import('./editor-chunk.ts').then(setEditor)
  }, [])
  return editor
}

export function LazyEditor(props: SpecEditorProps) {
  const editor = useEditor()
  return editor === undefined ? <Loading rows={10} /> : <editor.SpecEditor {...props} />
}

export function LazyCompare(props: CompareProps) {
  const editor = useEditor()
  return editor === undefined ? <Loading rows={4} /> : <editor.CompareView {...props} />
}

export function LazyMerge(props: MergeProps) {
  const editor = useEditor()
  return editor === undefined ? <Loading rows={6} /> : <editor.MergeTexts {...props} />
}
