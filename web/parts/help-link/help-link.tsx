import { useData } from '../../data/page-data.ts'

/** A link to the docs in a new tab, so that work on the page is kept. */
export function HelpLink({ page, text = 'Help' }: { readonly page: string; readonly text?: string }) {
  const { links } = useData()
  return (
    <a class="help-link" href={links.docs(page)} target="_blank" rel="noopener">
      {text}
      <span class="unseen"> (in a new tab)</span>
    </a>
  )
}
