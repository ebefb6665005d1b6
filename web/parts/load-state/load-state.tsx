import type { ComponentChildren } from 'preact'
import { pageHelp } from '#lib/core/help-pages.ts'
import { CallFailure } from '../../data/call.ts'
import type { Reading } from '../../data/cache.ts'
import { Button } from '../../controls/button/button.tsx'
import { HelpLink } from '../help-link/help-link.tsx'

/** Nothing is shown at first, so that quick answers do not flicker. */
export function Loading({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div class="load-state" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="load-state-row" />
      ))}
    </div>
  )
}

/** What failed, the message of the service, and the id of the call in its log. */
export function Failure({
  error,
  what,
  again,
}: {
  readonly error: Error
  readonly what: string
  readonly again?: () => void
}) {
  const { requestId, status } = error instanceof CallFailure ? error : { requestId: '', status: undefined }
  const help = status === 0 ? pageHelp.offline : status === 403 ? pageHelp.forbidden : undefined
  return (
    <div class="load-state-failure" role="alert">
      <p>
        <b>{what}:</b> {error.message} {help !== undefined && <HelpLink page={help} />}
      </p>
      {requestId !== '' && (
        <p class="quiet">
          request <code>{requestId}</code>
        </p>
      )}
      {again !== undefined && <Button onPress={again}>Try again</Button>}
    </div>
  )
}

interface Props<T> {
  readonly reading: Reading<T>
  readonly what: string
  readonly rows?: number
  readonly children: (data: T) => ComponentChildren
}

/** The loaded data; before that, a loading state; if a refresh fails, also the error. */
export function Loaded<T>({ reading, what, rows, children }: Props<T>) {
  const { data, error, again } = reading
  if (data === undefined && error === undefined) return <Loading {...(rows !== undefined && { rows })} />
  return (
    <>
      {error !== undefined && <Failure error={error} what={`Cannot read ${what}`} again={again} />}
      {data !== undefined && children(data)}
    </>
  )
}
