import { useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'

export interface Submit {
  readonly isPending: boolean
  readonly error: Error | undefined
  /** Sends something, then refreshes the page and announces the result. */
  readonly submit: (done: string, send: () => Promise<unknown>, after: () => void) => Promise<void>
}

/** Submits a dialog, which stays open with the reason if the request is refused. */
export function useSubmit(): Submit {
  const { cache, said } = useData()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  return {
    isPending,
    error,
    async submit(done, send, after) {
      if (isPending) return
      setPending(true)
      setError(undefined)
      try {
        await send()
        said.value = done
        void cache.invalidateQueries({ queryKey: ['admin'] })
        after()
      } catch (thrown) {
        setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
      }
      setPending(false)
    },
  }
}
