interface Tab {
  readonly name: string
  readonly href: string
  readonly isHere: boolean
  /** Number of items on the tab; undefined if unknown. */
  readonly count?: number | undefined
}

/** Links to the views of one thing, one of which is open. */
export function TabLinks({ name, tabs }: { readonly name: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tab-links" aria-label={name}>
      {tabs.map(({ name: tab, href, isHere, count }) => (
        <a key={tab} class="tab-links-link" href={href} {...(isHere && { 'aria-current': 'page' as const })}>
          {tab} {count !== undefined && <span class="tab-links-count">{count.toLocaleString('en')}</span>}
        </a>
      ))}
    </nav>
  )
}
