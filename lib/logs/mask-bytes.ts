const mask = Buffer.from('*******')

export interface ByteMask {
  /** @returns the bytes that may be shown now; a possible beginning of a secret is held back */
  readonly push: (bytes: Uint8Array) => Uint8Array
  /** @returns what was held back */
  readonly end: () => Uint8Array
}

/**
 * Replaces secrets in a stream of bytes, even when they are split over several pieces. The earliest match is replaced
 * first; of two secrets that begin at the same place, the longer one.
 */
export function maskBytes(secrets: readonly string[]): ByteMask {
  const needles = [...new Set(secrets.flatMap((secret) => [secret, secret.trim()]))]
    .filter((secret) => secret !== '')
    .map((secret) => Buffer.from(secret))
    .sort((a, b) => b.length - a.length)
  if (needles.length === 0) return { push: (bytes) => bytes, end: () => new Uint8Array() }
  let kept: Buffer = Buffer.alloc(0)
  return {
    push: (bytes) => {
      const { shown, rest } = hide(Buffer.concat([kept, bytes]), needles, openPlace)
      kept = rest
      return shown
    },
    end: () => hide(kept, needles, (text) => text.length).shown,
  }
}

/** @param open start of the rest that may become a secret with the next bytes */
function hide(
  text: Buffer,
  needles: readonly Buffer[],
  open: (text: Buffer, needles: readonly Buffer[], from: number) => number,
): { readonly shown: Buffer; readonly rest: Buffer } {
  const found = needles.map((needle) => ({ needle, at: text.indexOf(needle) }))
  const pieces: Buffer[] = []
  let end = open(text, needles, 0)
  for (let from = 0; ;) {
    const [first] = found.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)
    if (end < from) end = open(text, needles, from)
    if (first === undefined || end <= first.at) {
      const shown = Buffer.concat([...pieces, text.subarray(from, end)])
      return { shown, rest: text.subarray(end) }
    }
    pieces.push(text.subarray(from, first.at), mask)
    from = first.at + first.needle.length
    for (const one of found) if (one.at >= 0 && one.at < from) one.at = text.indexOf(one.needle, from)
  }
}

/**
 * The first position from which the rest of the text is the beginning of a secret; the end of the text when there is
 * none.
 */
function openPlace(text: Buffer, needles: readonly Buffer[], from: number): number {
  const sizes = needles.map((needle) => {
    for (let size = Math.min(needle.length - 1, text.length - from); size > 0; size--) {
      if (text.subarray(text.length - size).equals(needle.subarray(0, size))) return size
    }
    return 0
  })
  return text.length - Math.max(...sizes)
}
