import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The pages of the site by group, in reading order. Names of pages that do not exist are skipped. */
const groups: readonly { readonly title: string; readonly sources: readonly string[] }[] = [
  {
    title: 'Begin',
    sources: [
      'docs/index.md',
      'docs/installing.md',
      'docs/tutorial.md',
      'docs/concepts.md',
      'docs/cookbook.md',
    ],
  },
  {
    title: 'Write DAGs',
    sources: ['docs/dag-file.md', 'VALUES.md', 'EXECUTORS.md', 'docs/compatibility.md', 'docs/migrating.md'],
  },
  {
    title: 'Use',
    sources: ['docs/web.md', 'docs/cli.md', 'docs/rest.md', 'docs/client.md', 'docs/troubleshooting.md'],
  },
  {
    title: 'Operate',
    sources: [
      'infra/README.md',
      'docs/settings.md',
      'docs/users.md',
      'docs/operations.md',
      'docs/runbooks.md',
      'docs/capacity.md',
      'infra/backup.md',
      'docs/upgrading.md',
      'docs/disasters.md',
    ],
  },
  { title: 'Judge', sources: ['docs/reliability.md', 'docs/benchmarks.md', 'docs/accessibility.md'] },
  {
    title: 'Project',
    sources: [
      'README.md',
      'ARCHITECTURE.md',
      'docs/internals.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CODE_OF_CONDUCT.md',
      'CHANGELOG.md',
    ],
  },
]

export interface PageGroup {
  readonly title: string
  readonly sources: readonly string[]
}

/** Every page of the project by group. A page of `docs` that no group lists goes into an extra group, `More`. */
export function listPages(top: string): PageGroup[] {
  const docs = readdirSync(join(top, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  const others = groups.flatMap(({ sources }) => sources).filter((source) => !source.startsWith('docs/'))
  const known = new Set([...docs, ...others])
  const listed = groups.map(({ title, sources }) => ({
    title,
    sources: sources.filter((source) => known.delete(source)),
  }))
  return known.size === 0 ? listed : [...listed, { title: 'More', sources: [...known].toSorted() }]
}

/** The name of a page in the site, without its extension: `docs/dag-file.md` is `dag-file`. */
export function pageName(source: string): string {
  if (source === 'infra/README.md') return 'deploying'
  return (source.split('/').at(-1) ?? source).replace(/\.md$/, '').toLowerCase().replaceAll('_', '-')
}
