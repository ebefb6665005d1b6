/** An unsaved text. */
export interface Draft {
  readonly text: string
  /** Milliseconds since 1970 by the clock of the browser. */
  readonly atMs: number
  /** The stored text that it is based on, and its entity tag. Absent: whatever is stored when it is opened. */
  readonly base?: { readonly text: string; readonly tag: string }
  /** The name for a DAG that is not stored yet. */
  readonly name?: string
}

/** The file and the user of a draft: other users of this browser are not offered it. */
export interface DraftKey {
  readonly user: string
  /** Empty: of a DAG that is not stored yet. */
  readonly fileName: string
}

const keyOf = ({ user, fileName }: DraftKey): string => `millrace.draft ${JSON.stringify([user, fileName])}`

/** The draft of a file; undefined if there is none, or it cannot be read. */
export function readDraft(key: DraftKey): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(keyOf(key)) ?? 'null') as Draft | null
    return typeof draft?.text === 'string' && typeof draft.atMs === 'number' ? draft : undefined
  } catch {
    return undefined
  }
}

/**
 * Stores a draft in this browser, replacing the previous one. The editor of the file (`links.dag(fileName, 'spec')`)
 * offers it when it is opened.
 * @returns false when the browser keeps nothing, or has no room
 */
export function keepDraft(key: DraftKey, draft: Draft): boolean {
  try {
    localStorage.setItem(keyOf(key), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** Moves the draft of a file to its new name. */
export function moveDraft(user: string, from: string, to: string): void {
  const draft = readDraft({ user, fileName: from })
  if (draft !== undefined && keepDraft({ user, fileName: to }, draft)) dropDraft({ user, fileName: from })
}

export function dropDraft(key: DraftKey): void {
  try {
    localStorage.removeItem(keyOf(key))
  } catch {
    // A browser without storage has nothing to remove.
  }
}
