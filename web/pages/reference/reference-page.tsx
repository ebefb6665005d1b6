import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { matchesWords, operationsByTag, type OpenApi } from '../../model/operations.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { OperationView } from './operation-view.tsx'

/** Every operation of the API, from the document of the service that answers. */
export function ReferencePage() {
  const { ask, links } = useData()
  const { query, route } = useLocation()
  const text = query['q'] ?? ''
  const reading = useQuery(
    ['openapi'],
    () => ask('getOpenApi') as Promise<unknown> as Promise<OpenApi>,
    false,
  )
  const setText = (next: string): void =>
    route(next === '' ? links.reference : `${links.reference}?${new URLSearchParams({ q: next })}`, true)
  return (
    <>
      <PageHead title="API" name="API">
        <SearchField name="Filter operations" hint="start, /dag-runs, POST" value={text} onChange={setText} />
      </PageHead>
      <Loaded reading={reading} what="the description of the API">
        {(document) => <Operations document={document} text={text} />}
      </Loaded>
    </>
  )
}

function Operations({ document, text }: { readonly document: OpenApi; readonly text: string }) {
  const chosen = location.hash.slice(1)
  useEffect(() => {
    if (chosen !== '') globalThis.document.getElementById(chosen)?.scrollIntoView()
  }, [chosen])
  const groups = operationsByTag(document)
    .map(([tag, all]) => [tag, all.filter((one) => matchesWords(one, text))] as const)
    .filter(([, shown]) => shown.length > 0)
  if (groups.length === 0) return <Notice title="No operation matches the filter">Try fewer words.</Notice>
  return (
    <div class="reference-page">
      {groups.map(([tag, shown]) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          {shown.map((operation) => (
            <OperationView
              key={operation.operationId}
              operation={operation}
              document={document}
              isOpen={operation.operationId === chosen}
            />
          ))}
        </section>
      ))}
    </div>
  )
}
