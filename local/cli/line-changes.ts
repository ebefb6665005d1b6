import { structuredPatch, type StructuredPatch } from 'diff'

/** Lines removed and added, beyond which texts are not compared: the work grows with their square. */
export const editsMax = 5_000
/** Few different lines in ever other orders take long, too. */
const msMax = 3_000

/** What changed between two texts, by lines, with so many lines around each change; undefined: too much to compare. */
export function lineChanges(
  [beforeName, before]: readonly [string, string],
  [afterName, after]: readonly [string, string],
  context: number,
): StructuredPatch | undefined {
  const options = { context, maxEditLength: editsMax, timeout: msMax }
  return structuredPatch(beforeName, afterName, before, after, '', '', options)
}
