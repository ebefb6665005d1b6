import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { anchors } from './anchors.ts'
import { escapeHtml, plainText } from './plain-text.ts'

export interface Heading {
  readonly depth: number
  readonly text: string
  readonly anchor: string
}

/** A search result: a section, or a table row that describes one name. */
export interface Entry {
  readonly anchor: string
  readonly title: string
  readonly text: string
}

export interface RenderedPage {
  readonly html: string
  readonly headings: readonly Heading[]
  readonly anchors: ReadonlySet<string>
  readonly entries: readonly Entry[]
}

/** Resolves links to other pages. */
export interface PageLinks {
  /** The URL of a link in the site; undefined to keep only its text. */
  readonly resolve: (href: string) => string | undefined
  /** The title of the linked page; undefined when the target is not a page. */
  readonly titleOf: (href: string) => string | undefined
}

/**
 * Renders GitHub-flavoured Markdown as HTML, with GitHub's heading anchors. A table row that begins with a name in code
 * gets an anchor too: its section, a dash, and the name. A link whose text is a file name shows the title of that page.
 * @param links called with the URL of every link and every picture
 */
export function renderPage(markdown: string, links: PageLinks): RenderedPage {
  const take = anchors()
  const headings: Heading[] = []
  const entries: Entry[] = []
  const rows = new Map<Tokens.Table, readonly (string | undefined)[]>()
  const headingAnchors = new Map<Token, string>()
  const marked = new Marked({ gfm: true, async: false })
  const tokens = marked.lexer(markdown)
  let section: { anchor: string; title: string; text: string[] } | undefined
  const close = (): void => {
    if (section !== undefined) entries.push({ ...section, text: section.text.join(' ') })
  }
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, tokens: inner } = token as Tokens.Heading
      const text = plainText(inner)
      const anchor = take(text)
      headings.push({ depth, text, anchor })
      headingAnchors.set(token, anchor)
      close()
      section = { anchor, title: text, text: [] }
    } else if (token.type === 'table') {
      const table = token as Tokens.Table
      rows.set(
        table,
        table.rows.map(([first, ...rest]) => {
          const name = nameOf(first)
          const text = [first, ...rest].map((cell) => plainText(cell?.tokens ?? [])).join(' ')
          if (name === undefined) section?.text.push(text)
          if (name === undefined || section === undefined) return undefined
          const anchor = take(`${section.anchor}-${name}`)
          entries.push({ anchor, title: name, text })
          return anchor
        }),
      )
    } else section?.text.push(plainText([token]))
  }
  close()
  marked.use({ renderer: renderer({ headingAnchors, rows, links }) })
  return {
    html: marked.parser(tokens),
    headings,
    anchors: take.taken,
    entries,
  }
}

/** The name in a cell that contains only a name in code. */
function nameOf(cell: Tokens.TableCell | undefined): string | undefined {
  const [only, ...more] = cell?.tokens ?? []
  return only?.type === 'codespan' && more.length === 0 && /^[\w.-]+$/.test(only.text) ? only.text : undefined
}

interface Rendering {
  readonly headingAnchors: ReadonlyMap<Token, string>
  readonly rows: ReadonlyMap<Tokens.Table, readonly (string | undefined)[]>
  readonly links: PageLinks
}

function renderer({ headingAnchors, rows, links }: Rendering): RendererObject {
  return {
    heading(token) {
      const { depth } = token
      const anchor = headingAnchors.get(token) ?? ''
      const inner = this.parser.parseInline(token.tokens)
      const link = `<a class="docs-anchor" href="#${anchor}" aria-label="Link to this section">#</a>`
      return `<h${depth} id="${anchor}">${inner} ${link}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const target = links.resolve(href)
      const title = /^[\w/.-]+\.md$/.test(plainText(tokens)) ? links.titleOf(href) : undefined
      const inner = title === undefined ? this.parser.parseInline(tokens) : escapeHtml(title)
      return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`
    },
    code({ text }) {
      return `<div class="docs-code"><pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></div>\n`
    },
    html({ text }) {
      return text
        .replaceAll(/<!--[^]*?-->\n?/g, '')
        .replaceAll(
          / (src|srcset)="([^"]+)"/g,
          (_, name: string, href: string) => ` ${name}="${escapeHtml(links.resolve(href) ?? '')}"`,
        )
    },
    table(token) {
      const anchored = rows.get(token)
      const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
        row
          .map(({ tokens, align }) => {
            const inner = this.parser.parseInline(tokens)
            return `<${tag}${align === 'right' ? ' class="docs-number"' : ''}>${inner}</${tag}>`
          })
          .join('')
      const body = token.rows.map((row, index) => {
        const anchor = anchored?.[index]
        return `<tr${anchor === undefined ? '' : ` id="${anchor}"`}>${cells(row, 'td')}</tr>`
      })
      const head = `<tr>${cells(token.header, 'th')}</tr>`
      const table = `<table><thead>${head}</thead><tbody>${body.join('\n')}</tbody></table>`
      return `<div class="docs-table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`
    },
  }
}
