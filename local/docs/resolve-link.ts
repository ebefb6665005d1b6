import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pageName } from './page-list.ts'
import type { PageLinks } from './render-page.ts'

/** A link within the site, to be checked once every page is rendered. */
export interface InnerLink {
  readonly from: string
  readonly page: string
  readonly anchor: string
}

export interface LinksOfPage extends PageLinks {
  readonly inner: InnerLink[]
  /** Paths of files, from the top, that the site shows or offers. */
  readonly files: Set<string>
  readonly faults: string[]
}

/** What readers may want as a file. Sources of the program are named, but not in the site. */
const offered = /\.(png|svg|ya?ml|json|service|sh|example)$/

/**
 * Links of a page as the site has them: pages by their name, files below `files`. Links to sources lose their address.
 * @param source path of the page from the top
 * @param titles of all pages, by their path
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

/** Where a file of the project lies in the site; pictures have a folder of their own. */
export const fileAddress = (path: string): string =>
  path.startsWith('docs/') ? path.slice('docs/'.length) : `files/${path}`
