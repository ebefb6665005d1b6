import { useEffect, useRef, useState } from 'preact/hooks'
import { dropDraft, keepDraft, readDraft, type Draft, type DraftKey } from '../../data/drafts.ts'
import type { StoredText } from '../../data/spec-calls.ts'

/** Milliseconds within which a change is kept. */
const keepMs = 1_000

interface Written {
  readonly text: string
  readonly base: StoredText
  /** Of a DAG that is not stored yet. */
  readonly name?: string | undefined
}

/**
 * Keeps unsaved text in the browser, every second and when the page or the focus is left, until it is saved. While a
 * previous draft is offered, that is not overwritten.
 */
export function useDraft(key: DraftKey, written: Written) {
  const [offered, setOffered] = useState<Draft | undefined>(() => {
    const draft = readDraft(key)
    return draft?.text === written.base.text ? undefined : draft
  })
  const [isKept, setKept] = useState(true)
  const latest = useRef(written)
  latest.current = written
  const isOffered = useRef(false)
  isOffered.current = offered !== undefined
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const keep = (): void => {
    clearTimeout(timer.current)
    timer.current = undefined
    if (isOffered.current) return
    const { text, base, name } = latest.current
    if (text === base.text) return dropDraft(key)
    setKept(keepDraft(key, { text, base, atMs: Date.now(), ...(name !== undefined && { name }) }))
  }
  useEffect(() => {
    if (written.text === written.base.text) keep()
    else timer.current ??= setTimeout(keep, keepMs)
  }, [written.text, written.base, written.name, offered])
  useEffect(() => {
    const onHide = (): void => {
      if (timer.current !== undefined) keep()
    }
    addEventListener('pagehide', onHide)
    // After leaving the text, the user may rename or delete the DAG next.
    addEventListener('focusout', onHide)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      removeEventListener('pagehide', onHide)
      removeEventListener('focusout', onHide)
      document.removeEventListener('visibilitychange', onHide)
      onHide()
    }
  }, [])
  return {
    offered,
    /** False: the browser keeps nothing. */
    isKept,
    /** The previous draft was taken or discarded. */
    settle: () => setOffered(undefined),
    /** What was written is saved. */
    forget: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      dropDraft(key)
    },
  }
}
