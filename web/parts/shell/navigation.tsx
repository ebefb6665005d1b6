import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useData } from '../../data/page-data.ts'
import type { Links } from '../../model/links.ts'

/** How many links a phone shows outside of More. */
const firstMax = 4

/** The links to all pages. On a phone they are at the bottom, and all but the first are under More. */
export function Navigation() {
  const { links } = useData()
  const { path } = useLocation()
  const rest = useRef<HTMLDivElement>(null)
  useEffect(() => rest.current?.hidePopover(), [path])
  const items = itemsAt(links, path)
  return (
    <nav class="navigation" aria-label="Main">
      {items.slice(0, firstMax).map((item) => (
        <Item key={item.name} {...item} />
      ))}
      <button type="button" class="navigation-link navigation-more" popovertarget="navigation-rest">
        More
      </button>
      <div ref={rest} id="navigation-rest" popover="auto" class="navigation-rest">
        {items.slice(firstMax).map((item) => (
          <Item key={item.name} {...item} />
        ))}
      </div>
    </nav>
  )
}

interface ItemProps {
  readonly name: string
  readonly href: string
  readonly isHere: boolean
}

function Item({ name, href, isHere }: ItemProps) {
  return (
    <a class="navigation-link" href={href} {...(isHere && { 'aria-current': 'page' as const })}>
      {name}
    </a>
  )
}

/** All pages, and which is the current one. Others belong to the DAGs. */
function itemsAt(links: Links, path: string): readonly ItemProps[] {
  const others = [
    { name: 'Runs', href: links.runs },
    { name: 'Queues', href: links.queues },
    { name: 'Runners', href: links.runners },
    { name: 'Schedule', href: links.schedule },
    { name: 'Overview', href: links.overview },
    { name: 'Admin', href: links.admin() },
  ].map((item) => ({ ...item, isHere: path.startsWith(item.href) }))
  const isElsewhere = path.startsWith(links.settings) || others.some(({ isHere }) => isHere)
  return [{ name: 'DAGs', href: links.dags, isHere: !isElsewhere }, ...others]
}
