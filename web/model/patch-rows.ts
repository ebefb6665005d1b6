/**
 * Replaces the row with the same key in a paged list. A new row is added at the start, if that is where
 * the list has its new rows. Unchanged parts keep their identity.
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
