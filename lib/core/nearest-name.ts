/**
 * The known name that is most similar to a mistyped one.
 * @returns undefined when none is near: more than a third of the characters (at least two) would have to change
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const lower = given.toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.floor(given.length / 3)) + 1
  for (const name of known) {
    const changes = distance(lower, name.toLowerCase())
    if (changes < least) {
      best = name
      least = changes
    }
  }
  return best
}

/** Levenshtein: insertions, deletions and replacements of one character. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
