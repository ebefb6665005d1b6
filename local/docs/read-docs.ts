import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPages, type PageGroup } from './page-list.ts'
import { renderPage, type RenderedPage } from './render-page.ts'
import { linksOf, type InnerLink } from './resolve-link.ts'

export interface Docs {
  readonly groups: readonly PageGroup[]
  /** All by the path of the page from the top, in reading order. */
  readonly pages: ReadonlyMap<string, RenderedPage>
  readonly titles: ReadonlyMap<string, string>
  /** Paths of pictures and files to which pages refer. */
  readonly files: ReadonlySet<string>
  /** Links that lead to nothing: page, and where it wanted to lead. */
  readonly faults: readonly string[]
}

/**
 * Reads and renders every page of the project, and follows their links.
 * @param top the folder of the project
 */
export function readDocs(top: string): Docs {
  const groups = listPages(top)
  const texts = new Map(
    groups.flatMap(({ sources }) =>
      sources.map((source) => [source, readFileSync(join(top, source), 'utf8')] as const),
    ),
  )
  const titles = new Map([...texts].map(([source, text]) => [source, titleOf(source, text)]))
  const pages = new Map<string, RenderedPage>()
  const files = new Set<string>()
  const inner: InnerLink[] = []
  const faults: string[] = []
  for (const [source, text] of texts) {
    const links = linksOf(top, source, titles)
    pages.set(source, renderPage(text, links))
    inner.push(...links.inner)
    faults.push(...links.faults)
    for (const file of links.files) files.add(file)
  }
  return { groups, pages, titles, files, faults: [...faults, ...deadAnchors(inner, pages)] }
}

/** The README has the title of the front page. */
const titleOf = (source: string, markdown: string): string =>
  source === 'README.md' ? 'README' : (/^# (.+)$/m.exec(markdown)?.[1] ?? 'Millrace')

function deadAnchors(inner: readonly InnerLink[], pages: ReadonlyMap<string, RenderedPage>): string[] {
  return inner
    .filter(({ page, anchor }) => anchor !== '' && pages.get(page)?.anchors.has(anchor) !== true)
    .map(({ from, page, anchor }) => `${from}: ${page} has no section #${anchor}`)
}
