import { escapeHtml } from './plain-text.ts'
import { pageName } from './page-list.ts'
import type { Docs } from './read-docs.ts'
import type { Heading } from './render-page.ts'

export interface PageParts {
  readonly docs: Docs
  readonly source: string
  /** URL of the script, relative to a page; likewise `style`. */
  readonly script: string
  readonly style: string
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/** Renders a page of the site as HTML. All URLs are relative, so the site works below any path. */
export function pageTemplate(parts: PageParts): string {
  const { docs, source, script, style } = parts
  const title = docs.titles.get(source) ?? 'Millrace'
  const { html = '', headings = [] } = docs.pages.get(source) ?? {}
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta http-equiv="content-security-policy" content="${policy}" />
<title>${escapeHtml(pageName(source) === 'index' ? 'Millrace docs' : `${title} · Millrace docs`)}</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="${style}" />
<script src="${script}"></script>
</head>
<body>
<a class="docs-skip" href="#content">Skip to the text</a>
<header class="docs-head">
<a class="docs-brand" href="index.html">Millrace docs</a>
<form class="docs-search" role="search" hidden>
<input type="search" aria-label="Search the docs" placeholder="Search" autocomplete="off" spellcheck="false" />
<div class="docs-found" hidden></div>
</form>
<label class="docs-theme" hidden>Theme <select></select></label>
<a class="docs-service" href="../">Service</a>
<a class="docs-service" href="../reference">API</a>
</header>
<div class="docs-frame">
<nav class="docs-nav" aria-label="Pages">
<details class="docs-nav-fold" open><summary>Pages</summary>
${navigation(parts)}
</details>
</nav>
<main id="content" class="docs-text" tabindex="-1">
${html}
${neighbours(parts)}
</main>
${contents(headings)}
</div>
</body>
</html>
`
}

function navigation({ docs: { groups, titles }, source }: PageParts): string {
  return groups
    .map(({ title, sources }) => {
      const items = sources.map((one) => {
        const here = one === source ? ' aria-current="page"' : ''
        return `<li><a href="${pageName(one)}.html"${here}>${escapeHtml(titles.get(one) ?? one)}</a></li>`
      })
      return `<p class="docs-nav-group">${escapeHtml(title)}</p>\n<ul>${items.join('\n')}</ul>`
    })
    .join('\n')
}

/** Links to the previous and the next page in reading order. */
function neighbours({ docs: { groups, titles }, source }: PageParts): string {
  const order = groups.flatMap(({ sources }) => sources)
  const index = order.indexOf(source)
  const link = (one: string | undefined, word: string): string => {
    if (one === undefined) return '<span></span>'
    const title = escapeHtml(titles.get(one) ?? one)
    return `<a href="${pageName(one)}.html"><span class="docs-quiet">${word}</span> ${title}</a>`
  }
  const both = link(order[index - 1], 'Before:') + link(order[index + 1], 'Next:')
  return `<nav class="docs-neighbours" aria-label="Neighbours">${both}</nav>`
}

const deepest = 3

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth > 1 && depth <= deepest)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ depth, text, anchor }) =>
      `<li class="docs-depth-${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  )
  const title = '<p class="docs-nav-group">On this page</p>'
  return `<nav class="docs-contents" aria-label="On this page">${title}<ul>${items.join('\n')}</ul></nav>`
}
