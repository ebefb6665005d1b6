/** A short run stays visible beside a long one, also because heights follow the logarithm of durations. */
const heightMin = 0.2

/**
 * The height of each bar as a part of the highest, 0.2 to 1.
 * @param durations milliseconds; undefined for a run that has not ended, which gets the height of the longest
 */
export function barHeights(durations: readonly (number | undefined)[]): number[] {
  const longest = Math.max(1, ...durations.map((ms) => ms ?? 0))
  return durations.map((ms) => {
    if (ms === undefined) return 1
    const part = Math.log1p(ms) / Math.log1p(longest)
    return Math.round(Math.max(heightMin, part) * 100) / 100
  })
}
