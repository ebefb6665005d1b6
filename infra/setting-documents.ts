import { settingGroups } from '#lib/config/settings/all.ts'
import type { Setting } from '#lib/config/settings/setting.ts'

const start = '<!-- The tables are written by `npm run documents`. -->\n'
const end = '<!-- End of the tables. -->\n'

const isComputed = ({ default: text }: Setting): boolean => text.startsWith('[')

/** Returns the settings page with regenerated tables, one for each group. */
export function settingsPage(page: string): string {
  const [before, rest] = page.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new Error('the page lacks the markers around its tables')
  const tables = Object.entries(settingGroups).map(([title, settings]) => `## ${title}\n\n${table(settings)}`)
  return `${before}${start}\n${tables.join('\n')}\n${end}${after}`
}

function table(settings: Readonly<Record<string, Setting>>): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const value = isComputed(setting) ? setting.default.slice(1, -1) : `\`${setting.default}\``
    return `| \`${name}\` | ${value} | ${setting.description} |\n`
  })
  return `| setting | default | meaning |\n| --- | --- | --- |\n${rows.join('')}`
}

/** Returns an environment file with every setting commented out. */
export function envExample(): string {
  const groups = Object.entries(settingGroups).map(([title, settings]) => {
    const entries = Object.entries(settings).map(([name, setting]) => {
      const [value, note] = isComputed(setting)
        ? ['', ` Default: ${setting.default.slice(1, -1)}.`]
        : [setting.default, '']
      return `# ${setting.description}${note}\n#${name}=${value}\n`
    })
    return `# == ${title}\n\n${entries.join('\n')}`
  })
  return groups.join('\n')
}
