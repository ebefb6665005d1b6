import { useLocation } from 'preact-iso/router'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'
import { FoundNames } from './found-names.tsx'
import { FoundTexts } from './found-texts.tsx'

/** As many of each kind as a call finds. */
const foundMax = 50

/** Everything with a text in its name, and the lines of specs that contain it. */
export function SearchPage() {
  const { ask, links } = useData()
  const { query, route } = useLocation()
  const text = (query['q'] ?? '').trim()
  const names = useQuery(
    ['search', 'names', text],
    () => ask('searchNames', { query: { q: text, limit: foundMax } }),
    false,
    text !== '',
  )
  return (
    <>
      <PageHead title="Search" name={text === '' ? 'Search' : `${text} · Search`}>
        <SearchField
          name="Search"
          hint="a DAG, step, run id or text of a spec"
          value={query['q'] ?? ''}
          onChange={(next) => route(links.search(next), true)}
        />
      </PageHead>
      {text === '' ? (
        <Notice title="Search for anything">
          Find DAGs, steps and runs by part of their name or id, and specs by their text.
        </Notice>
      ) : (
        <>
          <Loaded reading={names} what="the names">
            {(found) => <FoundNames found={found} foundMax={foundMax} />}
          </Loaded>
          <FoundTexts text={text} />
        </>
      )}
    </>
  )
}
