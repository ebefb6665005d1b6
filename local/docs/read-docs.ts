import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPages, type PageGroup } from './page-list.ts'
import { renderPage, type RenderedPage } from './render-page.ts'
import { linksOf, type InnerLink } from './resolve-link.ts'

export interface Docs {
  readonly groups: readonly PageGroup[]
  /** Pages by their path in the project, in reading order. */
  readonly pages: ReadonlyMap<string, RenderedPage>
  readonly titles: ReadonlyMap<string, string>
  /** Paths of pictures and files that pages link to. */
  readonly files: ReadonlySet<string>
  /** Dead links, each as a sentence with the page and the target. */
  readonly faults: readonly string[]
}

/**
 * Reads and renders every page of the project, and checks their links.
 * @param top folder of the project
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

/** The README's own heading is that of the front page, so it gets its file name. */
const titleOf = (source: string, markdown: string): string =>
  source === 'README.md' ? 'README' : (/^# (.+)$/m.exec(markdown)?.[1] ?? 'Millrace')

function deadAnchors(inner: readonly InnerLink[], pages: ReadonlyMap<string, RenderedPage>): string[] {
  return inner
    .filter(({ page, anchor }) => anchor !== '' && pages.get(page)?.anchors.has(anchor) !== true)
    .map(({ from, page, anchor }) => `${from}: ${page} has no section #${anchor}`)
}
