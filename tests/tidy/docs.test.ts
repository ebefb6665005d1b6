import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '#lib/config/env.ts'
import { projectFile, projectTree } from './tree.ts'

const top = new URL('../..', import.meta.url).pathname
const pages = [...projectTree()].filter(([path]) => path.endsWith('.md'))

/** Cells of the rows of all tables of a page. */
function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
}

test('the README lists every setting with its default and its meaning, and no other', () => {
  const documented = rows(projectFile('README.md')).filter(([name]) =>
    /^`(MILLRACE_|DATABASE_URL)/.test(name ?? ''),
  )
  const expected = Object.entries(settings).map(([name, { default: fallback, description }]) => {
    const value = fallback.startsWith('[') ? fallback.slice(1, -1) : `\`${fallback}\``
    return [`\`${name}\``, value, description]
  })
  expect(documented).toEqual(expected)
})

test('every link of a page leads to something', () => {
  const broken = pages.flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1] ?? '')
      .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(top, dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('every npm script that a page names exists', () => {
  const { scripts } = JSON.parse(projectFile('package.json')) as { scripts: Record<string, string> }
  const named = pages.flatMap(([path, text]) =>
    [...text.matchAll(/`npm (?:run )?([a-z]+)/g)].map((match) => [path, match[1] ?? '']),
  )
  const own = new Set(['ci', 'install', 'run', 'audit', ...Object.keys(scripts)])
  expect(named.filter(([, script]) => !own.has(script ?? ''))).toEqual([])
})
