import type { ComponentChildren } from 'preact'
import { sortBy, type Column, type DagView } from '../../model/dag-view.ts'

interface Props {
  readonly column: Column
  readonly view: DagView
  readonly hrefOf: (view: DagView) => string
  readonly children: ComponentChildren
  readonly class?: string
}

/** A column head that sorts the table, and reverses the order when pressed again. */
export function SortHead({ column, view, hrefOf, children, class: kind = '' }: Props) {
  const isHere = view.sort === column
  const direction = view.isDown ? 'descending' : 'ascending'
  return (
    <th scope="col" class={kind} aria-sort={isHere ? direction : 'none'}>
      <a class="dag-table-sort" href={hrefOf(sortBy(view, column))}>
        {children}
        <span class="dag-table-arrow" aria-hidden="true">
          {isHere ? (view.isDown ? '↓' : '↑') : ''}
        </span>
      </a>
    </th>
  )
}
