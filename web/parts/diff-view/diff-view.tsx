import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../controls/button/button.tsx'
import { Notice } from '../../controls/notice/notice.tsx'
import { diffTexts, type Diff, type DiffRow } from './diff-rows.ts'

/** Rows at first; long ones take a browser seconds to lay out. */
const rowsShown = 2_000

interface Props {
  /** What the region is called, such as `Changes from version 3 to 5`. */
  readonly name: string
  readonly before: string
  readonly after: string
}

/** A unified diff: the removed and added lines, with a few equal lines around them. Read-only. */
export function DiffView({ name, before, after }: Props) {
  const diff = useMemo(() => diffTexts(before, after), [before, after])
  const [isWhole, setWhole] = useState(false)
  if (diff === undefined) {
    return <Notice title="Too much has changed">Too many lines differ to compare the texts.</Notice>
  }
  if (diff.rows.length === 0) return <Notice title="The texts are the same" />
  const rows = isWhole ? diff.rows : diff.rows.slice(0, rowsShown)
  return (
    <div class="diff-view">
      <p class="diff-view-summary">{summaryOf(diff)}</p>
      <div class="diff-view-text" tabIndex={0} role="region" aria-label={name}>
        <table class="diff-view-lines" aria-label={name}>
          <thead class="unseen">
            <tr>
              <th scope="col">Line before</th>
              <th scope="col">Line after</th>
              <th scope="col">Change</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Line key={index} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length < diff.rows.length && (
        <Button onPress={() => setWhole(true)}>Show all {diff.rows.length} lines</Button>
      )}
    </div>
  )
}

const signs = { same: ['', ''], added: ['+', 'added'], removed: ['−', 'removed'] } as const

function Line({ row }: { readonly row: DiffRow }) {
  if (row.kind === 'gap') {
    return (
      <tr class="diff-view-gap">
        <td colSpan={4}>{row.count === 1 ? '1 equal line' : `${row.count} equal lines`}</td>
      </tr>
    )
  }
  const [sign, word] = signs[row.kind]
  return (
    <tr class={`diff-view-${row.kind}`}>
      <td class="diff-view-number">{row.before}</td>
      <td class="diff-view-number">{row.after}</td>
      <td class="diff-view-sign">
        <span aria-hidden="true">{sign}</span>
        <span class="unseen">{word}</span>
      </td>
      <td class="diff-view-line">
        <bdi>{row.text}</bdi>
      </td>
    </tr>
  )
}

function summaryOf({ added, removed }: Diff): string {
  const lines = (count: number): string => (count === 1 ? '1 line' : `${count} lines`)
  return `${lines(added)} added, ${lines(removed)} removed`
}
