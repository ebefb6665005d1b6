import type { ComponentChildren } from 'preact'
import { ErrorBoundary } from 'preact-iso/lazy'
import { LocationProvider, useLocation } from 'preact-iso/router'
import { useData } from '../../data/page-data.ts'
import { AccountMenu } from './account-menu.tsx'
import { LiveSign } from './live-sign.tsx'

/** What stands around every page. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { links, said } = useData()
  return (
    <LocationProvider scope={links.base}>
      <a class="shell-skip" href="#main">
        Skip to the page
      </a>
      <header class="shell-head">
        <a class="shell-name" href={links.base}>
          Millrace
        </a>
        <Navigation />
        <LiveSign />
        <AccountMenu />
      </header>
      <main id="main" class="shell-main" tabIndex={-1}>
        <ErrorBoundary>{children}</ErrorBoundary>
      </main>
      <p class="unseen" role="status" aria-label="Announcements">
        {said.value}
      </p>
    </LocationProvider>
  )
}

function Navigation() {
  const { links } = useData()
  const { path } = useLocation()
  const isRuns = path.startsWith(links.runs)
  const items = [
    { name: 'DAGs', href: links.dags, isHere: !isRuns },
    { name: 'Runs', href: links.runs, isHere: isRuns },
  ]
  return (
    <nav class="shell-nav" aria-label="Main">
      {items.map(({ name, href, isHere }) => (
        <a key={name} class="shell-link" href={href} {...(isHere && { 'aria-current': 'page' as const })}>
          {name}
        </a>
      ))}
    </nav>
  )
}
