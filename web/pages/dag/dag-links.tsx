import { useData } from '../../data/page-data.ts'

/** The views of a DAG. */
export function DagLinks({
  fileName,
  view,
}: {
  readonly fileName: string
  readonly view: string | undefined
}) {
  const { links } = useData()
  const views = [
    { name: 'Runs', href: links.dag(fileName), isHere: view !== 'spec' },
    { name: 'Spec', href: `${links.dag(fileName)}?view=spec`, isHere: view === 'spec' },
  ]
  return (
    <nav class="dag-links" aria-label="Views of the DAG">
      {views.map(({ name, href, isHere }) => (
        <a key={name} class="dag-links-link" href={href} {...(isHere && { 'aria-current': 'page' as const })}>
          {name}
        </a>
      ))}
    </nav>
  )
}
