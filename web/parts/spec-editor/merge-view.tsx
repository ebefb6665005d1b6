import { Chunk } from '@codemirror/merge'
import { Text } from '@codemirror/state'
import { useEffect, useRef } from 'preact/hooks'
import { mergeTexts, type ChangedLines } from '../../model/merge-texts.ts'
import { mergeBeside, mergeWithin } from './merging.ts'
import { shadowOf } from './shadow-of.ts'
import { useIsNarrow } from './use-is-narrow.ts'

export interface MergeProps {
  readonly base: string
  readonly mine: string
  readonly theirs: string
  /** Which text is next to the merged one. */
  readonly beside: 'theirs' | 'mine' | 'base'
  /** @param conflicts how often both have changed the same lines; told with the first text */
  readonly onMerged: (text: string, conflicts?: number) => void
}

/** Two changed texts and their merge, side by side or unified. */
export function MergeTexts(props: MergeProps) {
  const { base, mine, theirs, beside } = props
  const isNarrow = useIsNarrow()
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
    return (isNarrow ? mergeWithin : mergeBeside)({
      root,
      other: props[beside],
      name: beside,
      merged: merged.current,
      onMerged(text) {
        merged.current = text
        latest.current.onMerged(text)
      },
    })
  }, [base, mine, theirs, beside, isNarrow])
  return <div ref={host} class="spec-editor spec-editor-merge" />
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
