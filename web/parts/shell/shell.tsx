import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { LocationProvider, useLocation } from 'preact-iso/router'
import { TimeContext } from '../../controls/time/use-moment.ts'
import { useData } from '../../data/page-data.ts'
import { AccountMenu } from './account-menu.tsx'
import { LiveSign } from './live-sign.tsx'
import { Navigation } from './navigation.tsx'
import { useKeys } from './use-keys.ts'
import { walkRows } from './walk-rows.ts'

const Palette = lazy(() => import('../palette/palette.tsx').then((module) => module.Palette))
const KeyHelp = lazy(() => import('../key-help/key-help.tsx').then((module) => module.KeyHelp))

/** The frame around every page. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { links, said, preferences, session } = useData()
  const [{ value: zone }, { value: times }] = [preferences.zone, preferences.times]
  const ofService = session.zone.value
  const timeView = useMemo(
    () => ({
      zone: { local: undefined, UTC: 'UTC', service: ofService || undefined }[zone],
      isExact: times === 'exact',
    }),
    [zone, times, ofService],
  )
  return (
    <LocationProvider scope={links.base}>
      <a class="shell-skip" href="#main">
        Skip to the page
      </a>
      <Head />
      <main id="main" class="shell-main" tabIndex={-1}>
        <TimeContext.Provider value={timeView}>
          <ErrorBoundary>{children}</ErrorBoundary>
        </TimeContext.Provider>
      </main>
      <p class="unseen" role="status" aria-label="Announcements">
        {said.value}
      </p>
    </LocationProvider>
  )
}

/** The head, with what it opens over the page. */
function Head() {
  const { links, session } = useData()
  const { route } = useLocation()
  const [opened, setOpened] = useState<'palette' | 'help'>()
  const isIn = !session.mustSignIn.value
  useKeys((command) => {
    if (command === 'next-row') walkRows(1)
    else if (command === 'previous-row') walkRows(-1)
    else if (command === 'help' || (command === 'palette' && isIn)) setOpened(command)
    else if (command !== 'palette') route(links[command])
  })
  useFocusOnArrival()
  const close = (): void => setOpened(undefined)
  return (
    <header class="shell-head">
      <a class="shell-name" href={links.base}>
        Millrace
      </a>
      <Navigation />
      {isIn && (
        <button
          type="button"
          class="shell-button"
          aria-keyshortcuts="Control+K"
          onClick={() => setOpened('palette')}
        >
          Go to<span class="shell-key"> Ctrl K</span>
        </button>
      )}
      <LiveSign />
      <AccountMenu onHelp={() => setOpened('help')} />
      <ErrorBoundary>
        {opened === 'palette' && <Palette onClose={close} onHelp={() => setOpened('help')} />}
        {opened === 'help' && <KeyHelp onClose={close} />}
      </ErrorBoundary>
    </header>
  )
}

/** A new page starts at its top, also for keyboard and screen reader users. */
function useFocusOnArrival(): void {
  const { path } = useLocation()
  const before = useRef(path)
  useEffect(() => {
    const main = document.getElementById('main')
    if (before.current === path || main === null) return undefined
    before.current = path
    const isBusy = document.querySelector('dialog[open]') !== null || main.contains(document.activeElement)
    if (!isBusy) main.focus({ preventScroll: true })
    // The link or dialog that led here keeps the focus until its page is unmounted.
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body) return
      main.focus({ preventScroll: true })
      observer.disconnect()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    const stop = (): void => observer.disconnect()
    addEventListener('keydown', stop, { once: true })
    addEventListener('pointerdown', stop, { once: true })
    return () => {
      stop()
      removeEventListener('keydown', stop)
      removeEventListener('pointerdown', stop)
    }
  }, [path])
}
