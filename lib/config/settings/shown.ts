import { settings, type SettingName } from './all.ts'
import type { Privacy } from './setting.ts'

/** A setting as an admin may see it. */
export interface ShownSetting {
  readonly name: SettingName
  /** Empty for secrets and computed values. */
  readonly value: string
  readonly source: 'environment' | 'default'
  readonly isSecret: boolean
  /** In words. */
  readonly default: string
  readonly description: string
}

/** Every setting in the order of the documentation, without anything secret. */
export function shownSettings(environment: Readonly<Record<string, string | undefined>>): ShownSetting[] {
  return Object.entries(settings).map(([key, setting]) => {
    const name = key as SettingName
    const given = environment[name]
    const isGiven = given !== undefined && given.trim() !== ''
    return {
      name,
      value: isGiven
        ? visible(setting.privacy, given)
        : setting.default.startsWith('[')
          ? ''
          : setting.default,
      source: isGiven ? 'environment' : 'default',
      isSecret: setting.privacy === 'secret' || setting.privacy === 'hidden',
      default: setting.default.replace(/^\[(.*)\]$/, '$1'),
      description: setting.description,
    }
  })
}

function visible(privacy: Privacy, value: string): string {
  if (privacy === 'secret' || privacy === 'hidden') return ''
  if (privacy === 'text' || /^(file|postgres):(?!\/\/)/.test(value)) return value
  const url = URL.parse(value)
  return url === null ? '' : `${url.protocol}//${url.host}${url.pathname}`
}
