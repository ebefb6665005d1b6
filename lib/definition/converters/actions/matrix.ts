import { listOf, mapOf, textOf, type Plain, type PlainMap } from '../plain-value.ts'

/** One combination of a matrix. */
export type Combination = Readonly<Record<string, Plain>>

const combinationsMax = 256

/**
 * The combinations of `strategy.matrix`, with `include` and `exclude`; one empty combination without a matrix.
 * @returns a text when there are too many, or when the matrix is an expression
 */
export function combinations(matrix: Plain | undefined): Combination[] | string {
  if (matrix === undefined || matrix === null) return [{}]
  if (typeof matrix === 'string') return 'a matrix computed by an expression is unknown before the run'
  const { include, exclude, ...axes } = mapOf(matrix)
  let found: Combination[] = [{}]
  for (const [name, values] of Object.entries(axes)) {
    const choices = listOf(values)
    if (found.length * choices.length > combinationsMax) return `at most ${combinationsMax} combinations`
    found = found.flatMap((one) => choices.map((value) => ({ ...one, [name]: value })))
  }
  const excluded = listOf(exclude).map(mapOf)
  const kept = found.filter((one) => !excluded.some((rule) => fits(rule, one)))
  const all = Object.keys(axes).length === 0 ? [] : kept
  const count = all.length
  for (const extra of listOf(include).map(mapOf)) addIncluded(all, extra, { axes: Object.keys(axes), count })
  return all.length > combinationsMax ? `at most ${combinationsMax} combinations` : all
}

/** Extends those of the first combinations that it contradicts nowhere; otherwise it becomes one of its own. */
function addIncluded(
  all: Combination[],
  extra: PlainMap,
  { axes, count }: { readonly axes: readonly string[]; readonly count: number },
): void {
  const own = Object.fromEntries(Object.entries(extra).filter(([name]) => axes.includes(name)))
  let isUsed = false
  for (const [index, one] of all.slice(0, count).entries()) {
    if (!fits(own, one)) continue
    all[index] = { ...one, ...(extra as Combination) }
    isUsed = true
  }
  if (!isUsed && all.length <= combinationsMax) all.push({ ...(extra as Combination) })
}

const fits = (rule: PlainMap, one: Combination): boolean =>
  Object.entries(rule).every(([name, value]) => JSON.stringify(one[name]) === JSON.stringify(value))

/** What distinguishes the jobs of a matrix. */
export const labelOf = (combination: Combination): string =>
  Object.values(combination).map(textOf).filter(Boolean).join('-')
