import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { WindowRows } from '../../controls/window-rows/window-rows.tsx'
import type { DagView } from '../../model/dag-view.ts'
import { SelectHead } from '../../parts/bulk-bar/select-cell.tsx'
import { useSelection } from '../../parts/bulk-bar/use-selection.ts'
import { DagBulk } from './dag-bulk.tsx'
import type { DagItem } from './dag-item.ts'
import { DagRow } from './dag-row.tsx'
import { SortHead } from './sort-head.tsx'

interface Props {
  readonly dags: readonly DagItem[]
  readonly view: DagView
  readonly hrefOf: (view: DagView) => string
  readonly onStart: (dag: DagItem) => void
  /** DAGs before these, and all of the list. */
  readonly before: number
  readonly total: number
}

/** Height of a row at the default density, pixels; others are measured. */
const rowHeight = 52
const columns = 9

/** DAGs as rows, only those near the viewport being rendered. */
export function DagTable({ dags, view, hrefOf, onStart, before, total }: Props) {
  const head = { view, hrefOf }
  const { selecting, selected, clear } = useSelection(dags.map(({ fileName }) => fileName))
  const drawn = useMemo(() => new Map<number, VNode>(), [dags, before, [...selected].join('/')])
  const draw = (row: number): VNode => {
    const known = drawn.get(row)
    if (known !== undefined) return known
    const item = dags[row] as DagItem
    const made = (
      <DagRow
        key={item.fileName}
        item={item}
        row={row}
        index={before + row + 2}
        onStart={onStart}
        selecting={selecting}
      />
    )
    drawn.set(row, made)
    return made
  }
  return (
    <>
      <div class="dag-table">
        <table class="data-table-rows dag-table-rows" aria-label="DAGs" aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <SelectHead selecting={selecting} noun="DAG" />
              <SortHead {...head} column="name">
                DAG
              </SortHead>
              <SortHead {...head} column="state">
                Last run
              </SortHead>
              <SortHead {...head} column="last" class="dag-table-rest">
                Ran
              </SortHead>
              <SortHead {...head} column="duration" class="dag-table-took">
                Took
              </SortHead>
              <th scope="col" class="dag-table-rest">
                Runs
              </th>
              <SortHead {...head} column="next" class="dag-table-next">
                Next
              </SortHead>
              <th scope="col">Scheduled</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <WindowRows rows={dags.length} columns={columns} rowHeight={rowHeight} draw={draw} />
        </table>
      </div>
      <DagBulk dags={dags.filter(({ fileName }) => selected.has(fileName))} onClear={clear} />
    </>
  )
}
