import { useState } from 'preact/hooks'
import { useData } from './page-data.ts'

export interface Action {
  readonly isPending: boolean
  /** Why the last one failed. */
  readonly fault: { readonly what: string; readonly error: Error } | undefined
  /**
   * Performs an action, then refreshes the data it changes.
   * @param what for people, when it failed
   * @param done is announced when it succeeded
   */
  readonly act: (what: string, done: string, send: () => Promise<unknown>) => Promise<void>
}

/** The action of a button. @param key cache key of the data that it changes */
export function useAction(key: readonly string[]): Action {
  const { cache, said } = useData()
  const [isPending, setPending] = useState(false)
  const [fault, setFault] = useState<Action['fault']>()
  return {
    isPending,
    fault,
    async act(what, done, send) {
      setPending(true)
      setFault(undefined)
      try {
        await send()
        said.value = done
      } catch (thrown) {
        setFault({ what, error: thrown instanceof Error ? thrown : new Error(String(thrown)) })
      }
      await cache.invalidateQueries({ queryKey: key })
      setPending(false)
    },
  }
}
