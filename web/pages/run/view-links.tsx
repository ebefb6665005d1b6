import { useData } from '../../data/page-data.ts'
import type { RunAddress } from '../../model/links.ts'

/** The views of the steps of a run. */
export function ViewLinks({
  address,
  view,
}: {
  readonly address: RunAddress
  readonly view: string | undefined
}) {
  const { links } = useData()
  const views = [
    { name: 'Timeline', query: {}, isHere: view !== 'steps' && view !== 'graph' },
    { name: 'Graph', query: { view: 'graph' }, isHere: view === 'graph' },
    { name: 'Steps', query: { view: 'steps' }, isHere: view === 'steps' },
  ]
  return (
    <nav class="view-links" aria-label="Views of the run">
      {views.map(({ name, query, isHere }) => (
        <a
          key={name}
          class="view-links-link"
          href={links.runAt(address, query)}
          {...(isHere && { 'aria-current': 'page' as const })}
        >
          {name}
        </a>
      ))}
      <a class="view-links-link" href={links.log(address, {})}>
        Log
      </a>
    </nav>
  )
}
