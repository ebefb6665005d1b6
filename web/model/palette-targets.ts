/** Where the palette leads, or what it does. */
export type Target = {
  readonly key: string
  readonly name: string
  readonly kind: 'page' | 'DAG' | 'run' | 'action'
} & ({ readonly href: string } | { readonly act: () => void })

/** Those with all words of a text in their name, in any order. Names that begin with the text come first. */
export function matching(targets: readonly Target[], text: string): readonly Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = targets.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  const beginning = words.join(' ')
  const rank = ({ name }: Target): number => (name.toLowerCase().startsWith(beginning) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}

/** Shorter texts are found in too many ids. */
const idLengthMin = 4

/** Whether a text may be a part of the id of a run. */
export const mayBeRunId = (text: string): boolean => text.length >= idLengthMin && /^[\w-]{1,64}$/.test(text)
