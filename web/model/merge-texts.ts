/** Lines of a text that another text has instead; both ranges without their end, counted from 0. */
export interface ChangedLines {
  readonly from: number
  readonly to: number
  readonly fromOther: number
  readonly toOther: number
}

interface Texts {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

interface Changes {
  /** The changes of each text to the base, in order. */
  readonly mine: readonly ChangedLines[]
  readonly theirs: readonly ChangedLines[]
}

export interface Merged {
  readonly text: string
  /** The number of conflicts, which are resolved with my lines. */
  readonly conflicts: number
}

/** Merges the changes of two texts to a third. */
export function mergeTexts(texts: Texts, changes: Changes): Merged {
  const base = texts.base.split('\n')
  const mine = texts.mine.split('\n')
  const theirs = texts.theirs.split('\n')
  const parts: (readonly string[])[] = []
  let at = 0
  let conflicts = 0
  for (const { from, to, ofMine, ofTheirs } of regionsOf(changes)) {
    parts.push(base.slice(at, from))
    at = to
    const own = written(mine, ofMine, from, to)
    const other = written(theirs, ofTheirs, from, to)
    parts.push(ofMine.length === 0 ? other : own)
    if (ofMine.length > 0 && ofTheirs.length > 0 && own.join('\n') !== other.join('\n')) conflicts += 1
  }
  parts.push(base.slice(at))
  return { text: parts.flat().join('\n'), conflicts }
}

interface Region {
  readonly from: number
  to: number
  readonly ofMine: ChangedLines[]
  readonly ofTheirs: ChangedLines[]
}

/** Changes that touch each other form one region, because their order is unknown. */
function regionsOf({ mine, theirs }: Changes): Region[] {
  const regions: Region[] = []
  const all = [
    ...mine.map((change) => ({ change, isMine: true })),
    ...theirs.map((change) => ({ change, isMine: false })),
  ].toSorted((one, other) => one.change.from - other.change.from)
  for (const { change, isMine } of all) {
    let region = regions.at(-1)
    if (region === undefined || change.from > region.to) {
      region = { from: change.from, to: change.to, ofMine: [], ofTheirs: [] }
      regions.push(region)
    }
    region.to = Math.max(region.to, change.to)
    const side = isMine ? region.ofMine : region.ofTheirs
    side.push(change)
  }
  return regions
}

/** The lines of a text for a region of the base. */
function written(
  lines: readonly string[],
  changes: readonly ChangedLines[],
  from: number,
  to: number,
): readonly string[] {
  const [first, last] = [changes[0], changes.at(-1)]
  if (first === undefined || last === undefined) return []
  return lines.slice(first.fromOther - (first.from - from), last.toOther + (to - last.to))
}
