import { CallFailure, type Ask } from './call.ts'

/** A text as it is stored. */
export interface StoredText {
  readonly text: string
  /** Entity tag of its version. Empty: it is not stored yet. */
  readonly tag: string
}

export type Saving =
  | { readonly kind: 'saved'; readonly stored: StoredText }
  /** It has faults, and was not saved. */
  | { readonly kind: 'faulty'; readonly faults: readonly string[] }
  /** Another text was saved since this one was loaded. */
  | { readonly kind: 'changed'; readonly theirs: StoredText }

interface Caller {
  readonly ask: Ask
  readonly tagOf: (answer: object) => string
}

/** The text of a DAG, and why it cannot be changed, if so. @throws CallFailure */
export async function readSpecText(
  { ask, tagOf }: Caller,
  fileName: string,
): Promise<StoredText & { readonly readOnly: string | undefined }> {
  const answer = await ask('getDagSpec', { params: { fileName } })
  return { text: answer.spec, tag: tagOf(answer), readOnly: answer.readOnly }
}

/**
 * Saves a text over the one that it is based on.
 * @param tag of that one
 * @throws CallFailure
 */
export async function saveSpecText(
  { ask, tagOf }: Caller,
  fileName: string,
  { text, tag }: StoredText,
): Promise<Saving> {
  try {
    const headers = { 'If-Match': tag }
    const answer = await ask('updateDagSpec', { params: { fileName }, headers, body: { spec: text } })
    const { errors = [] } = answer
    if (errors.length > 0) return { kind: 'faulty', faults: errors }
    return { kind: 'saved', stored: { text, tag: tagOf(answer) } }
  } catch (error) {
    if (!(error instanceof CallFailure) || error.status !== 412) throw error
    const theirs = await readSpecText({ ask, tagOf }, fileName)
    // The same text is already stored: the answer of an earlier call was lost, or somebody saved it too.
    return theirs.text === text ? { kind: 'saved', stored: theirs } : { kind: 'changed', theirs }
  }
}
