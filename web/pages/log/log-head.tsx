import type { ComponentChildren } from 'preact'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useData } from '../../data/page-data.ts'
import type { RunAddress } from '../../model/links.ts'

interface Props {
  readonly address: RunAddress
  readonly title: string
  readonly children?: ComponentChildren
}

/** The name of the log, and the way back to its run. */
export function LogHead({ address, title, children }: Props) {
  const { links } = useData()
  const { name, runId, childId } = address
  return (
    <PageHead
      crumb={
        <>
          <a href={links.runs}>Runs</a> / <a href={links.run(name, runId)}>{name}</a>
          {childId !== undefined && (
            <>
              {' / '}
              <a href={links.runAt(address)}>{childId.slice(0, 8)}</a>
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
