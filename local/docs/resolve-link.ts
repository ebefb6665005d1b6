import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pageName } from './page-list.ts'
import type { PageLinks } from './render-page.ts'

/** A link within the site, checked after every page is rendered. */
export interface InnerLink {
  readonly from: string
  readonly page: string
  readonly anchor: string
}

export interface LinksOfPage extends PageLinks {
  readonly inner: InnerLink[]
  /** Project paths of files that the site shows or offers for download. */
  readonly files: Set<string>
  readonly faults: string[]
}

/** Files that the site offers. Source files are mentioned, but not published. */
const offered = /\.(png|svg|ya?ml|json|service|sh|example)$/

/**
 * Resolves the links of a page: pages by name, files below `files`. Links to source files become plain text.
 * @param source project path of the page
 * @param titles titles of all pages, by project path
 */
export function linksOf(top: string, source: string, titles: ReadonlyMap<string, string>): LinksOfPage {
  const inner: InnerLink[] = []
  const files = new Set<string>()
  const faults: string[] = []
  const targetOf = (path: string): string => (path === '' ? source : posix.join(posix.dirname(source), path))
  const resolve = (href: string): string | undefined => {
    if (/^[a-z]+:/.test(href)) return href
    const [path = '', anchor = ''] = href.split('#')
    const target = targetOf(path)
    if (titles.has(target)) {
      inner.push({ from: source, page: target, anchor })
      return `${path === '' ? '' : `${pageName(target)}.html`}${anchor === '' ? '' : `#${anchor}`}`
    }
    if (!existsSync(join(top, target))) {
      faults.push(`${source}: ${href} leads to nothing`)
      return undefined
    }
    if (statSync(join(top, target)).isDirectory() || !offered.test(target)) return undefined
    files.add(target)
    return fileAddress(target)
  }
  const titleOf = (href: string): string | undefined => titles.get(targetOf(href.split('#')[0] ?? ''))
  return { resolve, titleOf, inner, files, faults }
}

/** The path of a project file in the site: files of `docs` keep theirs, others go below `files`. */
export const fileAddress = (path: string): string =>
  path.startsWith('docs/') ? path.slice('docs/'.length) : `files/${path}`
