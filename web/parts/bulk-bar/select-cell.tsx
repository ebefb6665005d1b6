import type { Selecting } from './use-selection.ts'

/** The first cell of a row that can be selected. */
export function SelectCell({
  selecting,
  id,
  name,
}: {
  readonly selecting: Selecting
  readonly id: string
  readonly name: string
}) {
  return (
    <td class="select-cell">
      <label class="select-cell-box">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={selecting.isSelected(id)}
          onClick={(event) => selecting.press(id, event.shiftKey)}
        />
      </label>
    </td>
  )
}

/** The head of the column, which selects all rows. */
export function SelectHead({ selecting, noun }: { readonly selecting: Selecting; readonly noun: string }) {
  return (
    <th scope="col" class="select-cell">
      <label class="select-cell-box">
        <input
          type="checkbox"
          aria-label={`Select all ${noun}s shown`}
          checked={selecting.isAll}
          onClick={selecting.pressAll}
        />
      </label>
    </th>
  )
}
