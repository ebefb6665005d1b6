export interface Anchors {
  (text: string): string
  readonly taken: ReadonlySet<string>
}

/** Makes the anchors of a page as GitHub does: lower case, dashes for blanks, a numeric suffix for duplicates. */
export function anchors(): Anchors {
  const taken = new Set<string>()
  const take = (text: string): string => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    let anchor = slug
    for (let count = 1; taken.has(anchor); count++) anchor = `${slug}-${count}`
    taken.add(anchor)
    return anchor
  }
  return Object.assign(take, { taken })
}
