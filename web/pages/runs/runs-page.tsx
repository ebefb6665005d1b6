import { useLocation } from 'preact-iso/router'
import { Chips } from '../../controls/chips/chips.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { SearchField } from '../../controls/search-field/search-field.tsx'
import { Toggles } from '../../controls/toggles/toggles.tsx'
import { useData } from '../../data/page-data.ts'
import { withQuery } from '../../model/links.ts'
import { readRunFilter, stateToggles, toggleState } from '../../model/run-filter.ts'
import { readRange } from '../../model/run-range.ts'
import { SavedViews } from '../../parts/saved-views/saved-views.tsx'
import { RangeFields } from './range-fields.tsx'
import { RunCounts } from './run-counts.tsx'
import { RunList } from './run-list.tsx'

/** All runs, newest first, with a histogram. */
export function RunsPage() {
  const { links, now } = useData()
  const { query: address, route } = useLocation()
  const text = address['q'] ?? ''
  const { query, chips, codes } = readRunFilter(text)
  const range = readRange(address, now.peek())
  const go = (next: Readonly<Record<string, string>>): void => route(withQuery(links.runs, next), true)
  const { q: _q, ...rangeOnly } = address
  const setText = (next: string): void => go({ ...(next !== '' && { q: next }), ...rangeOnly })
  const setRange = (next: Readonly<Record<string, string>>): void =>
    go({ ...(text !== '' && { q: text }), ...next })
  return (
    <>
      <PageHead title="Runs" name="Runs">
        <SearchField
          name="Filter runs"
          hint="failed, dag:nightly, tag:x, took:5m or words"
          value={text}
          onChange={setText}
        />
        <RangeFields range={range} onChange={setRange} />
        <SavedViews list="runs" />
      </PageHead>
      <div class="runs-page-filters">
        <Toggles
          name="States"
          toggles={stateToggles.map(({ code, name }) => ({
            name,
            isOn: codes.includes(code),
            onPress: () => setText(toggleState(text, code)),
          }))}
        />
        <Chips
          name="Filters"
          chips={chips.map(({ label, without }) => ({ label, onRemove: () => setText(without) }))}
        />
      </div>
      <RunCounts query={query} range={range} onRange={setRange} />
      <RunList
        query={{ ...query, ...range.listed }}
        isFiltered={text !== '' || range.preset !== ''}
        onClear={() => go({})}
      />
    </>
  )
}
