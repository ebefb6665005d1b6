import { useQuery } from '../../data/cache.ts'
import { useData } from '../../data/page-data.ts'
import { aroundText, matchLines } from '../../model/spec-matches.ts'
import { Loaded } from '../../parts/load-state/load-state.tsx'

/** Specs and lines of each that are shown; a common word is on every line. */
const specsShown = 50
const linesShown = 5

/** Lines of specs that have a text in them. Each leads to its line in the spec. */
export function FoundTexts({ text }: { readonly text: string }) {
  const { ask, links } = useData()
  const reading = useQuery(['search', 'texts', text], () => ask('searchDags', { query: { q: text } }))
  return (
    <Loaded reading={reading} what="the specs">
      {({ results }) => (
        <section class="search-page-part" aria-label="Specs">
          <h2>
            Specs{' '}
            <span class="quiet">
              {results.length <= specsShown ? results.length : `the first ${specsShown} of ${results.length}`}
            </span>
          </h2>
          {results.slice(0, specsShown).map(({ name, matches }) => (
            <div key={name} class="search-page-spec">
              <a href={links.specAt(name)}>{name}</a>
              <ul>
                {matchLines(matches)
                  .slice(0, linesShown)
                  .map(({ number, line }) => (
                    <li key={number} class="search-page-line">
                      <a href={links.specAt(name, number)}>line {number}</a>
                      <code>{aroundText(line, text)}</code>
                    </li>
                  ))}
              </ul>
              {matches.length > linesShown && <p class="quiet">{matches.length - linesShown} lines more</p>}
            </div>
          ))}
        </section>
      )}
    </Loaded>
  )
}
