import type { ComponentChildren } from 'preact'

/** Why a region shows nothing: it is empty, something is gone, or a filter matches nothing. */
export function Notice({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="notice">
      <p class="notice-title">{title}</p>
      {children !== undefined && <div class="notice-text">{children}</div>}
    </div>
  )
}
