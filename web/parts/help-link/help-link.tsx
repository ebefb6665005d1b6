import { useData } from '../../data/page-data.ts'

/** Leads to the docs, in a tab of its own: what somebody has begun on the page stays. */
export function HelpLink({ page, text = 'Help' }: { readonly page: string; readonly text?: string }) {
  const { links } = useData()
  return (
    <a class="help-link" href={links.docs(page)} target="_blank" rel="noopener">
      {text}
      <span class="unseen"> (in a new tab)</span>
    </a>
  )
}
