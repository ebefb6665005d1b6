import { structuredPatch, type StructuredPatch } from 'diff'

/** Maximum number of removed and added lines; the work grows with their square. */
export const editsMax = 5_000
/** Texts that repeat and reorder a few lines are slow within that limit too. */
const msMax = 3_000

/**
 * The changed lines between two named texts; undefined when they differ too much to compare.
 * @param context unchanged lines around each change
 */
export function lineChanges(
  [beforeName, before]: readonly [string, string],
  [afterName, after]: readonly [string, string],
  context: number,
): StructuredPatch | undefined {
  const options = { context, maxEditLength: editsMax, timeout: msMax }
  return structuredPatch(beforeName, afterName, before, after, '', '', options)
}
