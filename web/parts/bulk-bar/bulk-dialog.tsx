import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Dialog } from '../../controls/dialog/dialog.tsx'
import { useData } from '../../data/page-data.ts'
import { Failure } from '../load-state/load-state.tsx'
import type { BulkAction, BulkResult } from './bulk-action.ts'

interface Props {
  readonly action: BulkAction
  /** @param isDone whether something was done or attempted */
  readonly onClose: (isDone: boolean) => void
}

/** Asks once, with numbers; then shows the result for each. */
export function BulkDialog({ action, onClose }: Props) {
  const { cache, said } = useData()
  // The selection may change while the dialog is open; the action keeps the rows that it was opened with.
  const [{ what, done, send }] = useState(action)
  const [isPending, setPending] = useState(false)
  const [results, setResults] = useState<readonly BulkResult[]>()
  const [error, setError] = useState<Error>()
  const close = (): void => onClose(results !== undefined)

  async function act(): Promise<void> {
    setPending(true)
    setError(undefined)
    try {
      const answered = await send()
      setResults(answered)
      said.value = summaryOf(answered, done)
    } catch (thrown) {
      setError(thrown as Error)
    }
    await cache.invalidateQueries()
    setPending(false)
  }
  return (
    <Dialog title={`${what}${results === undefined ? '?' : ''}`} onClose={close}>
      {error !== undefined && <Failure error={error} what="The result is unknown" />}
      {results !== undefined && (
        <>
          <p>{summaryOf(results, done)}</p>
          <ul class="bulk-bar-results" aria-label="Results">
            {inOrder(results).map(({ name, href, message }) => (
              <li key={name} class={message === undefined ? '' : 'bulk-bar-failed'}>
                <a class="bulk-bar-name" href={href}>
                  {name}
                </a>{' '}
                {message ?? done}
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="bulk-bar-buttons">
        {results === undefined && (
          <Button isMain isPending={isPending} onPress={() => void act()}>
            {error === undefined ? action.name : 'Try again'}
          </Button>
        )}
        <Button onPress={close}>{results === undefined ? 'Cancel' : 'Close'}</Button>
      </div>
    </Dialog>
  )
}

function summaryOf(results: readonly BulkResult[], done: string): string {
  const failed = results.filter(({ message }) => message !== undefined).length
  const good = `${results.length - failed} ${done}`
  return failed === 0 ? good : `${good}, ${failed} failed`
}

/** Failures come first. */
const inOrder = (results: readonly BulkResult[]): readonly BulkResult[] =>
  results.toSorted((a, b) => Number(a.message === undefined) - Number(b.message === undefined))
