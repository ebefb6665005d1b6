/**
 * A list in pages with a row instead of the one with the same key. A row that is new comes first, if that is where
 * the list has its new rows. What has not changed keeps its identity.
 */
export function patchRows<Row>(
  pages: readonly (readonly Row[])[],
  row: Row,
  { keyOf, isNewestFirst }: { readonly keyOf: (row: Row) => string; readonly isNewestFirst: boolean },
): readonly (readonly Row[])[] {
  const key = keyOf(row)
  let isFound = false
  const patched = pages.map((rows) => {
    const index = rows.findIndex((known) => keyOf(known) === key)
    if (index < 0) return rows
    isFound = true
    return rows.with(index, row)
  })
  if (isFound) return patched
  if (!isNewestFirst) return pages
  const [first = [], ...rest] = pages
  return [[row, ...first], ...rest]
}
