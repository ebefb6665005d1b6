import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { executorTypes } from '#lib/definition/definition.ts'
import { commands } from '#local/cli/commands.ts'
import { readDocs } from '#local/docs/read-docs.ts'
import { readWords } from '#local/cli/read-words.ts'
import { brokenLinks, missingFiles, misspelledCommands, shellBlocks, unknownScripts } from './doc-rules.ts'
import { projectFile, projectTree } from './tree.ts'

const top = new URL('../..', import.meta.url).pathname
const pages = [...projectTree()].filter(([path]) => path.endsWith('.md'))

/** Pages whose commands no test of the suite can run as they stand. Their syntax is checked nevertheless. */
const notRun = new Map([
  ['docs/capacity.md', '.ci/run runs the short bench'],
  ['docs/settings.md', 'move-logs to a bucket of AWS; tests/local/cli/move-logs.test.ts moves to another'],
  ['docs/upgrading.md', 'an old version from the history'],
])

/** @throws UsageError when the command line would not understand it */
function understand([name = '', ...words]: readonly string[]): void {
  const command = commands.find((one) => one.name === name)
  if (command === undefined && name !== '--help') throw new Error('there is no such command')
  if (command !== undefined) readWords(command, words)
}

describe('the pages of the project', () => {
  test('every alert has a section in the runbooks', () => {
    const alerts = [...projectFile('infra/prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g)]
    const sections = [...projectFile('docs/runbooks.md').matchAll(/^## (Millrace\w+)$/gm)]
    expect(sections.map(([, name]) => name)).toEqual(alerts.map(([, name]) => name))
  })

  test('a test runs the commands and files of each page', () => {
    const tests = [...projectTree()].filter(([path]) => /^tests\/(?!tidy).*\.test\.ts$/.test(path))
    const isRun = (page: string): boolean =>
      tests.some(([, text]) => text.includes(`'${page}'`) || text.includes(`/${page}'`))
    const untested = pages
      .filter(([path, text]) => /^(docs|infra)\//.test(path) && /^```(sh|yaml|ts)$/m.test(text))
      .map(([path]) => path)
      .filter((path) => !notRun.has(path) && !isRun(path))
    expect(untested).toEqual([])
  })

  test('each page for users ends with "Read next"', () => {
    const forUsers = pages.filter(([path]) => /^((docs|infra)\/[^/]+|VALUES\.md|EXECUTORS\.md)$/.test(path))
    const last = (text: string): string => text.split(/^## /m).at(-1) ?? ''
    expect(
      forUsers.filter(([, text]) => !last(text).startsWith('Read next\n')).map(([path]) => path),
    ).toEqual([])
  })

  test('every alert links to its section in the runbooks', () => {
    const rules = projectFile('infra/prometheus/alerts.yaml').split('- alert: ').slice(1)
    const wrong = rules.filter((rule) => {
      const name = /^\w+/.exec(rule)?.[0] ?? ''
      return !rule.includes(`/docs/runbooks.html#${name.toLowerCase()}\n`)
    })
    expect(wrong).toEqual([])
  })

  test('the measured figures of docs/capacity.md are in docs/benchmarks.md', () => {
    const measured = projectFile('docs/capacity.md')
      .split('## Memory')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| ') && /\d/.test(line))
      .map((line) => line.split('|').at(-2) ?? '')
    const figures = (measured ?? []).flatMap(
      (cell) => cell.match(/\d[\d,]*\.\d+|\d,\d{3}|\d{3}(?= steps)/g) ?? [],
    )
    expect(figures.length).toBeGreaterThan(5)
    const known = projectFile('docs/benchmarks.md').replaceAll(',', '')
    expect(figures.filter((figure) => !known.includes(figure.replaceAll(',', '')))).toEqual([])
  })

  test('EXECUTORS.md has a section for each executor', () => {
    const sections = [...projectFile('EXECUTORS.md').matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)
    expect(sections.toSorted()).toEqual(executorTypes.toSorted())
  })

  test('every link leads to a file', () => {
    expect(brokenLinks(pages, (page, target) => existsSync(join(top, dirname(page), target)))).toEqual([])
  })

  test('every file that is named exists', () => {
    expect(missingFiles(pages, (path) => existsSync(join(top, path)))).toEqual([])
  })

  test('every link leads to a page and section of the site', () => {
    expect(readDocs(top).faults).toEqual([])
  })

  test('every npm script that is named exists', () => {
    const { scripts } = JSON.parse(projectFile('package.json')) as { scripts: Record<string, string> }
    expect(unknownScripts(pages, Object.keys(scripts))).toEqual([])
  })

  test('every shell block parses, and its millrace commands are valid', () => {
    const blocks = shellBlocks(pages)
    expect(blocks.length).toBeGreaterThan(15)
    for (const { text } of blocks)
      execFileSync('sh', ['-n'], { input: text, stdio: ['pipe', 'pipe', 'inherit'] })
    expect(misspelledCommands(blocks, understand)).toEqual([])
  })
})

describe('planted faults are found', () => {
  test('a broken link, a missing file and a missing script', () => {
    const planted = [
      [
        'a.md',
        '[here](b.md), [there](https://example.org), `npm run nothing`, `npm test`, `lib/none.ts`, `lib/<noun>/a.ts`',
      ],
    ] as const
    expect(brokenLinks(planted, () => false)).toEqual(['a.md: b.md'])
    expect(missingFiles(planted, () => false)).toEqual(['a.md: there is no lib/none.ts'])
    expect(unknownScripts(planted, ['test'])).toEqual(['a.md: npm run nothing'])
  })

  test('an unknown command, an unknown option and a missing argument', () => {
    const calls = [
      'millrace strat a',
      'x exec -T tick millrace ps --al',
      '(cd a; b) -- millrace logs \\\n  > a',
    ]
    const blocks = shellBlocks([['a.md', calls.map((call) => `\`\`\`sh\n${call}\n\`\`\`\n`).join('')]])
    const faults = misspelledCommands([...blocks, { page: 'b.md', text: 'millrace ps\n' }], understand)
    expect(faults.map((fault) => fault.replace(/^.*Error: /, ''))).toEqual([
      'there is no such command',
      expect.stringContaining('--al is not an option'),
      expect.stringContaining('DAG is missing'),
    ])
  })
})
