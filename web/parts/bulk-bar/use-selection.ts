import { useState } from 'preact/hooks'
import { useData } from '../../data/page-data.ts'
import { nothingSelected, press, pressAll } from '../../model/selection.ts'

/** What rows need for selection. */
export interface Selecting {
  readonly isSelected: (key: string) => boolean
  readonly press: (key: string, isRange: boolean) => void
  readonly isAll: boolean
  readonly pressAll: () => void
  /** For a row: `x` selects it, with Shift all rows up to it. */
  readonly onKey: (event: KeyboardEvent, key: string) => void
}

/** The selection of a list. Rows that are no longer listed are not selected. */
export function useSelection(order: readonly string[]): {
  readonly selecting: Selecting
  readonly selected: ReadonlySet<string>
  readonly clear: () => void
} {
  const { preferences } = useData()
  const [selection, setSelection] = useState(nothingSelected)
  const selected = new Set(order.filter((key) => selection.keys.has(key)))
  const pressRow = (key: string, isRange: boolean): void =>
    setSelection(press(selection, key, { order, isRange }))
  return {
    selected,
    clear: () => setSelection(nothingSelected),
    selecting: {
      isSelected: (key) => selected.has(key),
      press: pressRow,
      isAll: order.length > 0 && selected.size === order.length,
      pressAll: () => setSelection(pressAll({ ...selection, keys: selected }, order)),
      onKey: (event, key) => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
        if (!isPlain || event.key.toLowerCase() !== 'x' || !preferences.hasLetters.peek()) return
        event.preventDefault()
        pressRow(key, event.shiftKey)
      },
    },
  }
}
