import type { ComponentChildren } from 'preact'

export interface DataColumn {
  readonly name: string
  /** Hidden on narrow screens. */
  readonly isExtra?: boolean
  /** The name is for screen readers only. */
  readonly isUnseen?: boolean
}

interface Props {
  readonly name: string
  readonly columns: readonly DataColumn[]
  /** Rows of the table, with {@link DataCell}s in the order of the columns. */
  readonly children: ComponentChildren
}

/** A table that scrolls by itself where it is too wide. */
export function DataTable({ name, columns, children }: Props) {
  return (
    <div class="data-table">
      <table class="data-table-rows" aria-label={name}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={cellClass(column)}>
                {column.isUnseen === true ? <span class="unseen">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

interface CellProps extends Pick<DataColumn, 'isExtra'> {
  readonly isNumber?: boolean
  readonly children: ComponentChildren
}

export function DataCell({ children, ...kind }: CellProps) {
  return <td class={cellClass(kind)}>{children}</td>
}

const cellClass = ({ isExtra, isNumber }: Omit<CellProps, 'children'>): string =>
  [isExtra === true && 'data-table-extra', isNumber === true && 'data-table-number'].filter(Boolean).join(' ')
