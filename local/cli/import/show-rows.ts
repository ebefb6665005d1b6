import type { Imported } from '../import-dag.ts'
import { plain, type Output } from '../output.ts'
import type { Candidate } from './candidate.ts'

export type Row = Imported &
  Pick<Candidate, 'schedule' | 'line' | 'notes'> & { readonly suspended?: true; readonly wouldBe?: true }

/** A note names at most this many of the lines or DAGs that it concerns. */
const namedMax = 10

/** Prints a table of the outcomes, then faults, notes with their lines or DAGs, and warnings. */
export function showRows(rows: readonly Row[], { path }: { readonly path: string }, output: Output): void {
  const outcomeOf = ({ outcome, suspended, wouldBe }: Row): string =>
    `${wouldBe ? 'would be ' : ''}${outcome}${suspended ? ', suspended' : ''}`
  output.table(
    rows,
    {
      dag: ({ dag }) => dag,
      ...(rows.some(({ schedule }) => schedule !== undefined) && {
        schedule: ({ schedule = '' }: Row) => schedule,
      }),
      outcome: output.statuses(outcomeOf),
    },
    `${path} contains no DAG`,
  )
  if (output.isJson) return
  for (const { dag, fault } of rows)
    if (fault !== undefined) output.write(`${output.style('red', 'fault:')} ${dag}: ${plain(fault)}\n`)
  const all = rows.flatMap(({ dag, line, notes = [] }) => notes.map((note) => ({ dag, line, note })))
  for (const [note, of] of Map.groupBy(all, (one) => one.note)) {
    const named = of.slice(0, namedMax).map(({ line, dag }) => line ?? dag)
    const shown = `${named.join(', ')}${of.length > namedMax ? ' …' : ''}`
    const word = of[0]?.line === undefined ? '' : `line${of.length > 1 ? 's' : ''} `
    output.write(`note: ${word}${shown}: ${plain(note)}\n`)
  }
  for (const { dag, warnings = [] } of rows)
    for (const warning of warnings)
      output.write(`${output.style('yellow', 'warning:')} ${dag}: ${plain(warning)}\n`)
}
