/** One execution of a step by one owner, as its process noted it. `first` and `last` are lines of the ledger. */
export interface Execution {
  readonly runId: string
  readonly step: string
  readonly mark: string
  readonly owner: string
  readonly first: number
  last: number
  begins: number
  hasEnded: boolean
}

/** Reads the executions from a ledger. */
export function readLedger(text: string): Execution[] {
  const executions = new Map<string, Execution>()
  for (const [index, line] of text.split('\n').entries()) {
    const [sign = '', runId = '', step = '', mark = ''] = line.split(' ')
    if (mark === '') continue
    const owner = mark.slice(0, mark.indexOf('.'))
    const key = `${runId} ${step} ${mark}`
    const known = executions.get(key) ?? {
      runId,
      step,
      mark,
      owner,
      first: index,
      last: index,
      begins: 0,
      hasEnded: false,
    }
    known.last = index
    if (sign === 'B') known.begins += 1
    if (sign === 'E') known.hasEnded = true
    executions.set(key, known)
  }
  return [...executions.values()]
}

/** Finds processes of two owners that worked for the same run at the same time. */
export function overlaps(executions: readonly Execution[]): string[] {
  const found: string[] = []
  for (const [runId, own] of Map.groupBy(executions, (one) => one.runId)) {
    const sorted = own.toSorted((a, b) => a.first - b.first)
    for (const [index, one] of sorted.entries()) {
      const later = sorted.slice(index + 1).find((two) => two.owner !== one.owner && two.first < one.last)
      if (later !== undefined) found.push(`run ${runId}: ${one.mark} still lived when ${later.mark} started`)
    }
  }
  return found
}

/** The maximum number of these runs whose processes lived at the same time. */
export function mostAtOnce(executions: readonly Execution[], runIds: ReadonlySet<string>): number {
  const spans = new Map<string, { first: number; last: number }>()
  for (const { runId, first, last } of executions) {
    if (!runIds.has(runId)) continue
    const span = spans.get(runId) ?? { first, last }
    spans.set(runId, { first: Math.min(span.first, first), last: Math.max(span.last, last) })
  }
  const changes = [...spans.values()].flatMap(({ first, last }) => [
    { at: first, by: 1 },
    { at: last + 0.5, by: -1 },
  ])
  let now = 0
  let most = 0
  for (const { by } of changes.toSorted((a, b) => a.at - b.at)) most = Math.max(most, (now += by))
  return most
}
