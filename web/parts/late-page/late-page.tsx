import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'

interface Props<Given> {
  readonly load: () => Promise<ComponentType<Given>>
  /** What the page is given. */
  readonly given: Given
}

const askedMs = 3_000

/** A page that is loaded on demand. If that fails, it says so and retries. */
export const orLater = <Given extends object>(load: Props<Given>['load']): Promise<ComponentType<Given>> =>
  load().catch(() => (given: Given) => <Late load={load} given={given} />)

/** Shown if the script of a page cannot be loaded: the service is away, or has been upgraded. */
function Late<Given extends object>({ load, given }: Props<Given>) {
  const { ask, isReached } = useData()
  const [Page, setPage] = useState<ComponentType<Given>>()
  // Possibly nothing else on the page polls the service.
  useQuery(['session'], () => ask('getSession'), askedMs, Page === undefined)
  const wasAway = useRef(false)
  async function again(): Promise<void> {
    try {
      const page = await load()
      setPage(() => page)
    } catch {
      // Only the document of the new version has the names of its scripts. Drafts survive the reload.
      if (isReached.peek()) location.reload()
    }
  }
  useEffect(() => {
    if (!isReached.value) wasAway.current = true
    else if (wasAway.current) void again()
  }, [isReached.value])
  if (Page !== undefined) return <Page {...given} />
  return (
    <>
      <PageHead title="Not loaded" name="Not loaded" />
      <div class="late-page" role="alert">
        <p>
          This part of the page could not be loaded.{' '}
          {isReached.value
            ? 'The service may have a new version.'
            : 'It comes when the service can be reached again.'}
        </p>
        <Button onPress={() => void again()}>Try again</Button>
      </div>
    </>
  )
}
