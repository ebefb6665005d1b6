import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { CallFailure } from '../../data/call.ts'
import { usePages } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { readVersionChoice } from '../../model/version-choice.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { VersionChanges } from './version-changes.tsx'
import { VersionTable, type Version } from './version-table.tsx'

const versionsPerPage = 50

/** Who changed a DAG and when, with each change and a way to restore it. */
export function DagVersions({
  fileName,
  isGone = false,
}: {
  readonly fileName: string
  readonly isGone?: boolean
}) {
  const { ask } = useData()
  const { query: address } = useLocation()
  const [restored, setRestored] = useState<number>()
  const reading = usePages(
    ['dag', fileName, 'versions'],
    (cursor: string | undefined) =>
      ask('listDagVersions', {
        params: { fileName },
        query: { limit: versionsPerPage, ...(cursor !== undefined && { cursor }) },
      }) as Promise<VersionsPage>,
    (page) => page.nextCursor,
  )
  // A DAG that never existed has no versions.
  if (isGone && reading.error instanceof CallFailure && reading.error.status === 404) return null
  return (
    <Loaded reading={reading} what={`the versions of ${fileName}`}>
      {(pages) => {
        const versions = pages.flatMap((page) => page.versions)
        const numbers = versions.map(({ version }) => version)
        const choice = readVersionChoice(address, numbers)
        return (
          <div class="dag-versions">
            <div class="dag-versions-list">
              <VersionTable
                fileName={fileName}
                versions={versions}
                shown={choice.to}
                onRestore={setRestored}
              />
              {reading.hasMore && (
                <div class="dag-page-more">
                  <Button onPress={reading.more}>Load more</Button>
                </div>
              )}
            </div>
            <VersionChanges fileName={fileName} versions={numbers} choice={choice} />
            {restored !== undefined && (
              <RestoreDialog
                fileName={fileName}
                version={restored}
                newest={isGone ? undefined : numbers[0]}
                onClose={() => setRestored(undefined)}
              />
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

interface VersionsPage {
  readonly versions: readonly Version[]
  readonly nextCursor?: string
}
