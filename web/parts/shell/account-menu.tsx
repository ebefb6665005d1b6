import { pageHelp } from '#lib/core/help-pages.ts'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import { keepTheme, readTheme, themes, type Theme } from '../../data/theme.ts'
import { HelpLink } from '../help-link/help-link.tsx'

/** Who is signed in, and how the page looks in this browser. */
export function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { links, session } = useData()
  const [theme, setTheme] = useState(readTheme)
  const { name, role, isSignedIn } = session.who.value
  const sheet = useRef<HTMLDivElement>(null)
  return (
    <div class="account-menu">
      <button type="button" class="shell-button" popovertarget="account-menu">
        Account
      </button>
      <div
        ref={sheet}
        id="account-menu"
        popover="auto"
        class="account-menu-sheet"
        onToggle={() => setTheme(readTheme())}
      >
        {isSignedIn && (
          <p>
            {name} <span class="quiet">({role})</span>
          </p>
        )}
        <Themes theme={theme} onChange={setTheme} />
        <p class="account-menu-links">
          <HelpLink page={pageHelp.start} text="Docs" />
          <a href={links.reference} onClick={() => sheet.current?.hidePopover()}>
            API
          </a>
        </p>
        <div class="account-menu-actions">
          <Button
            onPress={() => {
              sheet.current?.hidePopover()
              onHelp()
            }}
          >
            Keys
          </Button>
          <a class="account-menu-link" href={links.settings} onClick={() => sheet.current?.hidePopover()}>
            Settings
          </a>
          {isSignedIn && <Button onPress={() => void session.signOut()}>Sign out</Button>}
        </div>
        {session.version.value !== '' && <p class="quiet">Millrace {session.version.value}</p>}
      </div>
    </div>
  )
}

interface ThemesProps {
  readonly theme: Theme
  readonly onChange: (theme: Theme) => void
}

function Themes({ theme, onChange }: ThemesProps) {
  return (
    <fieldset class="account-menu-themes">
      <legend class="quiet">Theme</legend>
      {themes.map((choice) => (
        <label key={choice} class="account-menu-theme">
          <input
            type="radio"
            name="theme"
            checked={choice === theme}
            onChange={() => {
              keepTheme(choice)
              onChange(choice)
            }}
          />
          {choice}
        </label>
      ))}
    </fieldset>
  )
}
