const mask = Buffer.from('*******')

export interface ByteMask {
  /** The bytes that may be shown by now: what could be the beginning of a secret is kept back. */
  readonly push: (bytes: Uint8Array) => Uint8Array
  /** What was kept back. */
  readonly end: () => Uint8Array
}

/** Replaces secrets in a stream of bytes, also where they are split over pieces. The longest secret goes first. */
export function maskBytes(secrets: readonly string[]): ByteMask {
  const needles = [...new Set(secrets.flatMap((secret) => [secret, secret.trim()]))]
    .filter((secret) => secret !== '')
    .map((secret) => Buffer.from(secret))
    .sort((a, b) => b.length - a.length)
  if (needles.length === 0) return { push: (bytes) => bytes, end: () => new Uint8Array() }
  let kept: Buffer = Buffer.alloc(0)
  return {
    push: (bytes) => {
      const text = replaceAll(Buffer.concat([kept, bytes]), needles)
      const keep = beginningAtEnd(text, needles)
      kept = text.subarray(text.length - keep)
      return text.subarray(0, text.length - keep)
    },
    end: () => kept,
  }
}

function replaceAll(bytes: Buffer, needles: readonly Buffer[]): Buffer {
  return needles.reduce((text, needle) => {
    const pieces: Buffer[] = []
    let from = 0
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, from)) {
      pieces.push(text.subarray(from, at), mask)
      from = at + needle.length
    }
    return from === 0 ? text : Buffer.concat([...pieces, text.subarray(from)])
  }, bytes)
}

/** How many bytes at the end are the beginning of a secret, at most. */
function beginningAtEnd(bytes: Buffer, needles: readonly Buffer[]): number {
  return Math.max(
    ...needles.map((needle) => {
      for (let size = Math.min(needle.length - 1, bytes.length); size > 0; size--) {
        if (bytes.subarray(bytes.length - size).equals(needle.subarray(0, size))) return size
      }
      return 0
    }),
  )
}
