import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface Props {
  readonly title: ComponentChildren
  /** Of the tab. */
  readonly name: string
  readonly crumb?: ComponentChildren
  readonly children?: ComponentChildren
}

/** The heading of a page, and what can be done on it. */
export function PageHead({ title, name, crumb, children }: Props) {
  useEffect(() => {
    document.title = `${name} – Millrace`
  }, [name])
  return (
    <header class="page-head">
      {crumb !== undefined && <p class="page-head-crumb">{crumb}</p>}
      <div class="page-head-row">
        <h1 class="page-head-title">{title}</h1>
        {children}
      </div>
    </header>
  )
}
