import type { Signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { PageHead } from '../../controls/page-head/page-head.tsx'
import { Switch } from '../../controls/switch/switch.tsx'
import { useData } from '../../data/page-data.ts'
import {
  densities,
  landings,
  timeForms,
  usualErrors,
  zones,
  type Preferences,
} from '../../data/preferences.ts'
import { keepTheme, readTheme, themes } from '../../data/theme.ts'

/** How the page looks and behaves in this browser. */
export function SettingsPage() {
  const { preferences, session } = useData()
  const [theme, setTheme] = useState(readTheme)
  const { density, times, zone, landing, hasLetters } = preferences
  return (
    <>
      <PageHead title="Settings" name="Settings" />
      <div class="settings-page">
        <p class="quiet">They apply to this browser only, at once.</p>
        <Choice
          name="Theme"
          all={themes}
          chosen={theme}
          onChoose={(one) => {
            keepTheme(one)
            setTheme(one)
          }}
        />
        <Choice name="Density" all={densities} {...bound(density)} />
        <Choice name="Times" all={timeForms} {...bound(times)} />
        <Choice
          name="Time zone"
          all={zones}
          {...bound(zone)}
          about={session.zone.value === '' ? undefined : `service: ${session.zone.value}`}
        />
        <Choice name="First page" all={landings} {...bound(landing)} />
        <section class="settings-page-group" aria-labelledby="settings-keys">
          <h2 id="settings-keys">Keys</h2>
          <Switch
            name="Keys without Ctrl"
            isOn={hasLetters.value}
            onChange={(isOn) => (hasLetters.value = isOn)}
            isLabelled
          />
        </section>
        <LogSettings preferences={preferences} />
      </div>
    </>
  )
}

function LogSettings({ preferences: { isWrapped, errorPattern } }: { readonly preferences: Preferences }) {
  return (
    <section class="settings-page-group" aria-labelledby="settings-logs">
      <h2 id="settings-logs">Logs</h2>
      <Switch
        name="Wrap long lines"
        isOn={isWrapped.value}
        onChange={(isOn) => (isWrapped.value = isOn)}
        isLabelled
      />
      <label class="settings-page-field">
        Lines that are errors
        <input
          class="settings-page-value code"
          value={errorPattern.value}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby="settings-errors"
          onChange={({ currentTarget: { value } }) => (errorPattern.value = value.trim() || usualErrors)}
        />
        <span id="settings-errors" class="quiet">
          An RE2 expression for <b>Next error</b>. Emptied, it is the usual one again.
        </span>
      </label>
    </section>
  )
}

const bound = <T,>(kept: Signal<T>) => ({
  chosen: kept.value,
  onChoose: (value: T) => {
    kept.value = value
  },
})

interface ChoiceProps<T extends string> {
  readonly name: string
  readonly all: readonly T[]
  readonly chosen: T
  readonly onChoose: (value: T) => void
  readonly about?: string | undefined
}

function Choice<T extends string>({ name, all, chosen, onChoose, about }: ChoiceProps<T>) {
  return (
    <fieldset class="settings-page-group">
      <legend class="settings-page-legend">{name}</legend>
      {all.map((one) => (
        <label key={one} class="settings-page-choice">
          <input
            type="radio"
            name={name}
            value={one}
            checked={one === chosen}
            onChange={() => onChoose(one)}
          />
          {one}
        </label>
      ))}
      {about !== undefined && <p class="quiet">{about}</p>}
    </fieldset>
  )
}
