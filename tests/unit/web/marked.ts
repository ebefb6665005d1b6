/** A position in a text at which something is typed. */
export interface Marked {
  readonly title: string
  readonly text: string
  readonly offset: number
  readonly typed: string
  /** What must be offered at this position, and what must not. */
  readonly offered: readonly string[]
  readonly refused: readonly string[]
}

const mark = /«(.*?): ?([^»]*)»/g

/** Reads marks: what is typed, a colon, what must be offered, and after a `!` what must not. */
export const marked = (text: string): Marked[] =>
  [...text.matchAll(mark)].map((found, number) => {
    const [whole, typed = '', wanted = ''] = found
    const clean = (part: string): string => part.replaceAll(mark, '')
    const before = clean(text.slice(0, found.index)) + typed
    const [offered = '', refused = ''] = wanted.split('!')
    const names = (list: string): string[] => list.match(/"[^"]*"|\S+/g) ?? []
    return {
      title: `${number}: line ${before.split('\n').length}, ${JSON.stringify(before.split('\n').at(-1))}`,
      text: before + clean(text.slice(found.index + whole.length)),
      offset: before.length,
      typed,
      offered: names(offered),
      refused: names(refused),
    }
  })
