import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '#lib/config/env.ts'
import { brokenLinks, settingFaults, unknownScripts } from './doc-rules.ts'
import { projectFile, projectTree } from './tree.ts'

const top = new URL('../..', import.meta.url).pathname
const pages = [...projectTree()].filter(([path]) => path.endsWith('.md'))

describe('the pages of the project', () => {
  test('the README lists every setting with its default and its meaning, and no other', () => {
    expect(settingFaults(projectFile('README.md'), settings)).toEqual([])
  })

  test('every link leads to something', () => {
    expect(brokenLinks(pages, (page, target) => existsSync(join(top, dirname(page), target)))).toEqual([])
  })

  test('every npm script that is named exists', () => {
    const { scripts } = JSON.parse(projectFile('package.json')) as { scripts: Record<string, string> }
    expect(unknownScripts(pages, Object.keys(scripts))).toEqual([])
  })
})

describe('planted faults are found', () => {
  test('a setting that is missing, that does not exist, that has another default', () => {
    const table = '| `MILLRACE_A` | `1` | What a does. |\n| `MILLRACE_B` | `2` | What b does. |\n'
    const real = { MILLRACE_A: { default: '3', description: 'What a does.' } }
    expect(settingFaults(table, real)).toEqual([
      'missing: `MILLRACE_A` | `3` | What a does.',
      'not a setting: `MILLRACE_A` | `1` | What a does.',
      'not a setting: `MILLRACE_B` | `2` | What b does.',
    ])
  })

  test('a link to nothing, a script that does not exist', () => {
    const planted = [
      ['a.md', '[here](b.md), [there](https://example.org), `npm run nothing`, `npm test`'],
    ] as const
    expect(brokenLinks(planted, () => false)).toEqual(['a.md: b.md'])
    expect(unknownScripts(planted, ['test'])).toEqual(['a.md: npm run nothing'])
  })
})
