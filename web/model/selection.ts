/** The selected rows of a list. */
export interface Selection {
  readonly keys: ReadonlySet<string>
  /** The start of a range: the row pressed last. */
  readonly anchor: string | undefined
}

export const nothingSelected: Selection = { keys: new Set(), anchor: undefined }

/**
 * The selection after a press on a row.
 * @param order of the rows of the list
 * @param isRange gives all rows from the one pressed before the state of that one
 */
export function press(
  { keys, anchor }: Selection,
  key: string,
  { order, isRange }: { readonly order: readonly string[]; readonly isRange: boolean },
): Selection {
  const next = new Set(keys)
  const [from, to] = [order.indexOf(anchor ?? ''), order.indexOf(key)]
  if (isRange && anchor !== undefined && from >= 0 && to >= 0) {
    for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      if (keys.has(anchor)) next.add(one)
      else next.delete(one)
    }
    return { keys: next, anchor }
  }
  if (!next.delete(key)) next.add(key)
  return { keys: next, anchor: key }
}

/** Every row, or, when every row is selected, none. */
export const pressAll = ({ keys }: Selection, order: readonly string[]): Selection =>
  order.every((key) => keys.has(key)) ? nothingSelected : { keys: new Set(order), anchor: undefined }

/** A number with its noun: `1 run`, `14 runs`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
