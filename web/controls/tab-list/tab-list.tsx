import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface Props<Name extends string> {
  readonly name: string
  readonly tabs: readonly Name[]
  readonly open: Name
  readonly onOpen: (tab: Name) => void
  /** Of the open tab. */
  readonly children: ComponentChildren
}

/** Tabs, one of which is open. Arrow keys move between them. */
export function TabList<Name extends string>({ name, tabs, open, onOpen, children }: Props<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (tabs.indexOf(open) + step + tabs.length) % tabs.length
    onOpen(tabs[next] ?? open)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div ref={list} class="tab-list" role="tablist" tabIndex={-1} aria-label={name} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            class="tab-list-tab"
            aria-selected={tab === open}
            aria-controls={`${id}-panel`}
            tabIndex={tab === open ? 0 : -1}
            onClick={() => onOpen(tab)}
          >
            {tab}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${open}`} class="tab-list-panel">
        {children}
      </div>
    </>
  )
}
