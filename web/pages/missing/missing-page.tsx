import { pageHelp } from '#lib/core/help-pages.ts'
import { Notice } from '../../controls/notice/notice.tsx'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { useData } from '../../data/page-data.ts'
import { HelpLink } from '../../parts/help-link/help-link.tsx'

/** An unknown URL. */
export function MissingPage() {
  const { links } = useData()
  return (
    <>
      <PageHead title="Not found" name="Not found" />
      <Notice title="There is no page at this address">
        See the <a href={links.dags}>DAGs</a>, the <a href={links.runs}>runs</a> or the{' '}
        <HelpLink page={pageHelp.start} text="docs" />.
      </Notice>
    </>
  )
}
