/** A target of the palette: a page or an action. */
export type Target = {
  readonly key: string
  readonly name: string
  readonly kind: 'page' | 'DAG' | 'step' | 'run' | 'action'
  /** Found by the service, which also searches beyond the name. */
  readonly isFound?: boolean
} & ({ readonly href: string } | { readonly act: () => void })

/**
 * Those with all words of a text in their name, in any order. Names that begin with the text come first.
 * @param isOld whether the results of the service are for the previous text
 */
export function matching(targets: readonly Target[], text: string, isOld: boolean): readonly Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = targets.filter(
    ({ name, isFound }) =>
      (isFound === true && !isOld) || words.every((word) => name.toLowerCase().includes(word)),
  )
  const beginning = words.join(' ')
  const rank = ({ name }: Target): number => (name.toLowerCase().startsWith(beginning) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}
