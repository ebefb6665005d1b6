import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readDocs, type Docs } from '#local/docs/read-docs.ts'

/** The pages of a project that has only these files. */
function docsOf(files: Readonly<Record<string, string>>): Docs {
  const top = mkdtempSync(join(tmpdir(), 'millrace-docs-'))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const others = [
    'VALUES.md',
    'EXECUTORS.md',
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
  ]
  const empty = [...others, 'CODE_OF_CONDUCT.md', 'CHANGELOG.md', 'infra/README.md', 'infra/backup.md']
  const all = { ...Object.fromEntries(empty.map((name) => [name, '# Empty\n'])), ...files }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(top, name)), { recursive: true })
    writeFileSync(join(top, name), text)
  }
  return readDocs(top)
}

const htmlOf = (docs: Docs, source: string): string => docs.pages.get(source)?.html ?? ''

test('links to a missing file or section are faults', () => {
  const { faults } = docsOf({
    'docs/a.md': '# A\n\n[1](b.md) [2](b.md#there) [3](#here) [4](nothing.md) [5](../VALUES.md#none)\n',
    'docs/b.md': '# B\n\n## There\n',
  })
  expect(faults).toEqual([
    'docs/a.md: nothing.md leads to nothing',
    'docs/a.md: docs/a.md has no section #here',
    'docs/a.md: VALUES.md has no section #none',
  ])
})

test('links lead to pages of the site, other files are published, and sources lose their link', () => {
  const docs = docsOf({
    'docs/a.md':
      '# A\n\n[b](b.md#there) [deploy](../infra/README.md) [rules](../infra/rules.yaml) [code](../lib/x.ts) ' +
      '[out](https://example.org/)\n',
    'docs/b.md': '# B\n\n## There\n',
    'infra/README.md': '# Deploying\n\n[docs/b.md](../docs/b.md)\n',
    'infra/rules.yaml': 'a: 1\n',
    'lib/x.ts': '',
  })
  expect(htmlOf(docs, 'docs/a.md')).toContain(
    '<a href="b.html#there">b</a> <a href="deploying.html">deploy</a> ' +
      '<a href="files/infra/rules.yaml">rules</a> code <a href="https://example.org/">out</a>',
  )
  expect(htmlOf(docs, 'infra/README.md')).toContain('<a href="b.html">B</a>')
  expect([...docs.files]).toEqual(['infra/rules.yaml'])
})

test('headings have the anchors of GitHub, and rows that describe a name have an anchor too', () => {
  const docs = docsOf({
    'docs/a.md':
      '# A\n\n## What `x` does, and why\n\n## Twice\n\n## Twice\n\n' +
      '| name | says |\n| --- | --- |\n| `A_b` | c |\n| d | e |\n',
  })
  const anchors = ['a', 'what-x-does-and-why', 'twice', 'twice-1', 'twice-1-a_b']
  expect([...(docs.pages.get('docs/a.md')?.anchors ?? [])]).toEqual(anchors)
  expect(htmlOf(docs, 'docs/a.md')).toContain('<tr id="twice-1-a_b"><td><code>A_b</code></td><td>c</td></tr>')
  expect(docs.pages.get('docs/a.md')?.entries.at(-2)).toEqual({
    anchor: 'twice-1-a_b',
    title: 'A_b',
    text: 'A_b c',
  })
})

test('a page in no group is listed under "More"', () => {
  const { groups } = docsOf({ 'docs/index.md': '# Home\n', 'docs/of-tomorrow.md': '# Tomorrow\n' })
  expect(groups[0]?.sources).toEqual(['docs/index.md'])
  expect(groups.at(-1)).toEqual({ title: 'More', sources: ['docs/of-tomorrow.md'] })
})

test('the text of a page is escaped, and its comments are dropped', () => {
  const docs = docsOf({ 'docs/a.md': '# A <b>\n\n```sh\necho "<script>"\n```\n\n<!-- hidden -->\n' })
  expect(htmlOf(docs, 'docs/a.md')).toContain('echo &quot;&lt;script&gt;&quot;')
  expect(htmlOf(docs, 'docs/a.md')).not.toContain('hidden')
})
