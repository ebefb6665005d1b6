/** The percentile of the values. @param part 0 to 1 */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

/** One measured figure of one system. */
export interface Figure {
  readonly work: string
  readonly unit: string
  readonly value: number
}

const rounded = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** Prints a row per figure and a column per system; with two systems, also the ratio of the first to the second. */
export function printTable(title: string, systems: ReadonlyMap<string, readonly Figure[]>): void {
  const names = [...systems.keys()]
  const works = [...new Set([...systems.values()].flat().map((figure) => figure.work))]
  const rows = works.map((work) => {
    const figures = names.map((name) => systems.get(name)?.find((figure) => figure.work === work))
    const unit = figures.find((figure) => figure !== undefined)?.unit ?? ''
    const [own, peer, ...more] = figures
    const ratio = own && peer?.value && more.length === 0 ? `${(own.value / peer.value).toFixed(2)} x` : ''
    return [work, unit, ...figures.map((figure) => (figure ? rounded(figure.value) : '-')), ratio]
  })
  const head = ['work', 'unit', ...names, names.length === 2 ? 'ratio' : '']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column < 2 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
  console.log(`\n${title}\n${line(head)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`)
  for (const row of rows) console.log(line(row).trimEnd())
}
