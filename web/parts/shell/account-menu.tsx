import { useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { useData } from '../../data/page-data.ts'
import { keepTheme, readTheme, themes } from '../../data/theme.ts'

/** Who is signed in, and how the page looks in this browser. */
export function AccountMenu() {
  const { session } = useData()
  const [theme, setTheme] = useState(readTheme)
  const { name, role, isSignedIn } = session.who.value
  return (
    <div class="account-menu">
      <button type="button" class="account-menu-button" popovertarget="account-menu">
        Account
      </button>
      <div id="account-menu" popover="auto" class="account-menu-sheet">
        {isSignedIn && (
          <p>
            {name} <span class="quiet">({role})</span>
          </p>
        )}
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
                  setTheme(choice)
                }}
              />
              {choice}
            </label>
          ))}
        </fieldset>
        {isSignedIn && <Button onPress={() => void session.signOut()}>Sign out</Button>}
      </div>
    </div>
  )
}
