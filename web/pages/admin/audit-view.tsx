import { useLocation } from 'preact-iso/router'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { usePages } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { readAuditFilter, type AuditQuery } from '../../model/audit-filter.ts'
import { withQuery } from '../../model/links.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { AuditFields } from './audit-fields.tsx'
import { AuditTable } from './audit-table.tsx'

const entriesPerPage = 100

/** Who changed what, newest first. The filter is in the address. */
export function AuditView() {
  const { links } = useData()
  const { query: address, route } = useLocation()
  const filter = readAuditFilter(address)
  const go = (query: Readonly<Record<string, string>>): void =>
    route(withQuery(links.admin('audit'), query), true)
  return (
    <>
      <AuditFields
        address={address}
        onChange={(name, value) => {
          const { [name]: _, ...rest } = address
          go(value === '' ? rest : { ...rest, [name]: value })
        }}
      />
      <Entries filter={filter} onClear={() => go({})} />
    </>
  )
}

function Entries({ filter, onClear }: { readonly filter: AuditQuery; readonly onClear: () => void }) {
  const { ask } = useData()
  const reading = usePages(
    ['admin', 'audit', filter],
    (cursor: string | undefined) =>
      ask('listAuditEntries', {
        query: { ...filter, limit: entriesPerPage, ...(cursor !== undefined && { cursor }) },
      }),
    (page) => page.nextCursor,
  )
  return (
    <Loaded reading={reading} what="the audit log">
      {(pages) => {
        const entries = pages.flatMap((page) => page.entries)
        if (entries.length > 0) {
          return (
            <>
              <AuditTable entries={entries} />
              {reading.hasMore && (
                <div class="admin-tools">
                  <Button onPress={reading.more}>Load more</Button>
                  <span class="quiet">the newest {entries.length} entries</span>
                </div>
              )}
            </>
          )
        }
        return Object.keys(filter).length === 0 ? (
          <Notice title="Nobody has changed anything yet">
            This list shows calls that change something, and refused credentials.
          </Notice>
        ) : (
          <Notice title="No entry matches the filter">
            <Button onPress={onClear}>Clear the filter</Button>
          </Notice>
        )
      }}
    </Loaded>
  )
}
