/** An entry of `search.json`: name and title of a page, and anchor, title and text of a section. */
export type SearchIndex = readonly (readonly [
  page: string,
  title: string,
  entries: readonly (readonly [anchor: string, title: string, text: string])[],
])[]

export interface Found {
  readonly href: string
  readonly title: string
  readonly page: string
  /** The text around the first word. */
  readonly extract: string
}

const foundMax = 12
const extractLength = 140

/** The sections that contain every word, best first: words in titles weigh more, complete titles most. */
export function searchDocs(index: SearchIndex, text: string): Found[] {
  const query = text.trim().toLowerCase()
  const words = query.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return []
  const scored = index.flatMap(([page, pageTitle, entries]) =>
    entries.flatMap(([anchor, title, body]) => {
      const score = scoreOf(words, query, { page: pageTitle, title, body })
      if (score === 0) return []
      const href = `${page}.html#${anchor}`
      return [{ score, found: { href, title, page: pageTitle, extract: extractOf(body, words) } }]
    }),
  )
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, foundMax)
    .map(({ found }) => found)
}

function scoreOf(
  words: readonly string[],
  query: string,
  { page, title, body }: Readonly<Record<'page' | 'title' | 'body', string>>,
): number {
  const head = title.toLowerCase()
  const [all, pageHead] = [body.toLowerCase(), page.toLowerCase()]
  let score = head === query ? 40 : head.startsWith(query) ? 12 : 0
  for (const word of words) {
    const own =
      (head.includes(word) ? 8 : 0) + (pageHead.includes(word) ? 3 : 0) + (all.includes(word) ? 1 : 0)
    if (own === 0) return 0
    score += own
  }
  return score
}

function extractOf(body: string, words: readonly string[]): string {
  const first = Math.max(0, body.toLowerCase().indexOf(words[0] ?? ''))
  const from = Math.max(0, body.lastIndexOf(' ', Math.max(0, first - extractLength / 4)))
  const piece = body.slice(from, from + extractLength).trim()
  return `${from > 0 ? '… ' : ''}${piece}${from + extractLength < body.length ? ' …' : ''}`
}
