import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { lockedWhen, showing } from './editor-setup.ts'
import { shadowOf } from './shadow-of.ts'

export interface CompareProps {
  /** For people. */
  readonly name: string
  readonly before: string
  readonly after: string
}

/** A read-only view of the differences between two texts. */
export function CompareView({ name, before, after }: CompareProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return undefined
    const root = shadowOf(host.current)
    const extensions = [
      showing(name),
      lockedWhen(true),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        collapseUnchanged: { margin: 3, minSize: 6 },
      }),
    ]
    const view = new EditorView({ state: EditorState.create({ doc: after, extensions }), parent: root, root })
    return () => view.destroy()
  }, [name, before, after])
  return <div ref={host} class="spec-editor spec-editor-compare" />
}
