import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settings } from '#lib/config/settings/all.ts'
import { envExample, settingsPage } from '../../../infra/setting-documents.ts'

/** Without the padding of tables. */
const bare = (text: string): string => text.replaceAll(/[ -]+/g, ' ')

test('docs/settings.md and infra/env.example are what `npm run documents` writes', () => {
  const page = readFileSync('docs/settings.md', 'utf8')
  expect(bare(page)).toBe(bare(settingsPage(page)))
  expect(readFileSync('infra/env.example', 'utf8')).toBe(envExample())
})

test('both name every setting once', () => {
  const page = readFileSync('docs/settings.md', 'utf8')
  const names = Object.keys(settings)
  expect([...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(names)
  expect([...envExample().matchAll(/^#(\w+)=/gm)].map(([, name]) => name)).toEqual(names)
})
