import { signal, type Signal } from '@preact/signals'

export const densities = ['comfortable', 'compact'] as const
export const zones = ['local', 'UTC', 'service'] as const
export const timeForms = ['relative', 'exact'] as const
export const landings = ['DAGs', 'Runs'] as const
/** The default expression for error lines in logs. */
export const usualErrors = String.raw`\b(error|fatal|panic|traceback)|error:|exception`

/** The settings of this browser. */
export interface Preferences {
  /** Keys without Ctrl do something. */
  readonly hasLetters: Signal<boolean>
  readonly density: Signal<(typeof densities)[number]>
  /** How long ago, or when. */
  readonly times: Signal<(typeof timeForms)[number]>
  /** In which times are shown. */
  readonly zone: Signal<(typeof zones)[number]>
  /** The start page, at the root of the service. */
  readonly landing: Signal<(typeof landings)[number]>
  /** Whether logs begin with long lines wrapped. */
  readonly isWrapped: Signal<boolean>
  /** An RE2 expression for the lines of a log that are errors. */
  readonly errorPattern: Signal<string>
}

/** Without storage in the browser, a choice is lost when the page is closed. */
export function createPreferences(): Preferences {
  const density = choice('density', densities)
  density.subscribe((value) => {
    document.documentElement.dataset['density'] = value
  })
  return {
    hasLetters: flag('letters', true),
    density,
    times: choice('times', timeForms),
    zone: choice('zone', zones),
    landing: choice('landing', landings),
    isWrapped: flag('wrap', false),
    errorPattern: text('errors', usualErrors),
  }
}

function text(name: string, usual: string): Signal<string> {
  const key = `millrace.${name}`
  const kept = signal(read(key) ?? usual)
  kept.subscribe((value) => keep(key, value === usual ? '' : value))
  return kept
}

/** The first of several, unless another was chosen. */
function choice<T extends string>(name: string, all: readonly [T, ...T[]]): Signal<T> {
  const key = `millrace.${name}`
  const before = read(key)
  const kept = signal(all.find((one) => one === before) ?? all[0])
  kept.subscribe((value) => keep(key, value === all[0] ? '' : value))
  return kept
}

function flag(name: string, usual: boolean): Signal<boolean> {
  const key = `millrace.${name}`
  const kept = signal(read(key) === null ? usual : read(key) === 'on')
  kept.subscribe((isOn) => keep(key, isOn === usual ? '' : isOn ? 'on' : 'off'))
  return kept
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** @param value empty: nothing is kept */
function keep(key: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // See above.
  }
}
