import type { ComponentChildren } from 'preact'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useData } from '../../data/page-data.ts'
import type { RunPlace } from '../../model/links.ts'

interface Props {
  readonly place: RunPlace
  readonly title: string
  readonly children?: ComponentChildren
}

/** What log is shown, and the way back to its run. */
export function LogHead({ place, title, children }: Props) {
  const { links } = useData()
  const { name, runId, childId } = place
  return (
    <PageHead
      crumb={
        <>
          <a href={links.runs}>Runs</a> / <a href={links.run(name, runId)}>{name}</a>
          {childId !== undefined && (
            <>
              {' / '}
              <a href={links.runAt(place)}>{childId.slice(0, 8)}</a>
            </>
          )}
        </>
      }
      title={title}
      name={`Log of ${title}`}
    >
      {children}
    </PageHead>
  )
}
