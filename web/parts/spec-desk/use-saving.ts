import { useRef, useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import type { Saving, StoredText } from '../../data/spec-calls.ts'

interface Given {
  readonly text: string
  /** The stored text that it is based on. */
  readonly base: StoredText
  readonly save: (written: StoredText) => Promise<Saving>
  /** Called with what is stored now. */
  readonly onSaved: (stored: StoredText) => void
}

/** Saves a text. If another one was saved meanwhile, both must be merged first. */
export function useSaving({ text, base, save, onSaved }: Given) {
  const { said } = useData()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  const [theirs, setTheirs] = useState<StoredText>()
  const isBusy = useRef(false)

  function done(stored: StoredText): void {
    setTheirs(undefined)
    onSaved(stored)
  }
  async function send(written: StoredText): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setPending(true)
    setError(undefined)
    try {
      let saving = await save(written)
      // The stored text is unchanged: the DAG was renamed, or changed and reverted.
      if (saving.kind === 'changed' && written.tag === base.tag && saving.theirs.text === base.text)
        saving = await save({ ...written, tag: saving.theirs.tag })
      if (saving.kind === 'changed') setTheirs(saving.theirs)
      else if (saving.kind === 'faulty') throw new Error(saving.faults.slice(0, 3).join('; '))
      else {
        said.value = 'Saved'
        done(saving.stored)
      }
    } catch (thrown) {
      setTheirs(undefined)
      setError(thrown as Error)
    }
    isBusy.current = false
    setPending(false)
  }
  return {
    isPending,
    error,
    /** The text that another user has saved meanwhile. */
    theirs,
    save(): void {
      if (base.tag !== '' && text === base.text) said.value = 'Nothing has changed'
      else void send({ text, tag: base.tag })
    },
    /** @param merged made of both */
    saveMerged(merged: string): void {
      if (theirs === undefined) return
      if (merged === theirs.text) done(theirs)
      else void send({ text: merged, tag: theirs.tag })
    },
    giveUp: () => setTheirs(undefined),
  }
}
