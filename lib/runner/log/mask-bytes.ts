import { ByteSearch } from '#lib/core/byte-search.ts'

const mask = Buffer.from('*******')

export interface ByteMask {
  /** @returns the masked bytes; a possible start of a secret is held back */
  readonly push: (bytes: Uint8Array) => Uint8Array
  /** @returns the bytes that were held back */
  readonly end: () => Uint8Array
}

/** All logs of a run are masked by the same list, so its search is built once. */
const finders = new WeakMap<readonly string[], ByteSearch | undefined>()

/**
 * Replaces secrets in a stream of bytes, even when they are split over several chunks. Overlapping secrets are replaced
 * by one mask. Takes time linear in the bytes.
 */
export function maskBytes(secrets: readonly string[]): ByteMask {
  if (!finders.has(secrets)) finders.set(secrets, finderOf(secrets))
  const finder = finders.get(secrets)
  if (finder === undefined) return { push: (bytes) => bytes, end: () => new Uint8Array() }
  return new SecretMask(finder)
}

function finderOf(secrets: readonly string[]): ByteSearch | undefined {
  const needles = [...new Set(secrets.flatMap((secret) => [secret, secret.trim()]))]
    .filter((secret) => secret !== '')
    .map((secret) => Buffer.from(secret))
  return needles.length === 0 ? undefined : new ByteSearch(needles)
}

/** A range of bytes that belong to secrets. Positions are byte offsets in the stream. */
interface Span {
  readonly start: number
  end: number
  /** True when the mask was written, but the range continues. */
  isShown: boolean
}

class SecretMask implements ByteMask {
  readonly #finder: ByteSearch
  readonly #held = new HeldBytes()
  #state = 0
  /** Position after the last byte received. */
  #position = 0
  /** Position of the first byte held back. */
  #base = 0
  /** Ranges by position; those before `firstSpan` are done. */
  #spans: Span[] = []
  #firstSpan = 0

  constructor(finder: ByteSearch) {
    this.#finder = finder
  }

  readonly push = (bytes: Uint8Array): Uint8Array => {
    const finder = this.#finder
    let state = this.#state
    const start = this.#position
    for (let at = 0; at < bytes.length; at++) {
      state = finder.next(state, bytes[at] ?? 0)
      const length = state === 0 ? 0 : finder.foundLength(state)
      if (length > 0) this.#hide(start + at + 1 - length, start + at + 1)
    }
    this.#state = state
    this.#position = start + bytes.length
    const open = finder.openLength(state)
    if (this.#base === start && open === 0 && this.#spans.length === 0) {
      this.#base = this.#position
      return bytes
    }
    this.#held.add(bytes)
    return this.#release(this.#position - open)
  }

  readonly end = (): Uint8Array => this.#release(this.#position)

  /** Ranges are found in order of their end, so only the last ones can overlap a new one. */
  #hide(start: number, end: number): void {
    const spans = this.#spans
    let last = spans.at(-1)
    while (last !== undefined && last.start >= start) {
      spans.pop()
      last = spans.at(-1)
    }
    if (last !== undefined && start < last.end) last.end = end
    else spans.push({ start, end, isShown: false })
  }

  /** Returns the held bytes up to a position, masked. No open match starts before it. */
  #release(until: number): Uint8Array {
    const first = this.#base
    const bytes = this.#held.take(until - first)
    const output: Uint8Array[] = []
    let at = first
    for (let span = this.#span(); span !== undefined && span.start < until; span = this.#span()) {
      if (span.start > at) output.push(bytes.subarray(at - first, span.start - first))
      if (!span.isShown) output.push(mask)
      span.isShown = true
      at = Math.min(span.end, until)
      if (span.end > until) break
      this.#firstSpan += 1
    }
    this.#base = until
    this.#forgetSpans()
    return output.length === 0 && at === first
      ? bytes
      : Buffer.concat([...output, bytes.subarray(at - first)])
  }

  #span(): Span | undefined {
    return this.#spans[this.#firstSpan]
  }

  /** Removes the ranges that are done, once they are half of the list. */
  #forgetSpans(): void {
    if (this.#firstSpan * 2 < this.#spans.length) return
    this.#spans = this.#spans.slice(this.#firstSpan)
    this.#firstSpan = 0
  }
}

/** A queue of bytes, which copies each byte a constant number of times on average. */
class HeldBytes {
  #bytes = Buffer.alloc(0)
  #start = 0
  #end = 0

  add(bytes: Uint8Array): void {
    const length = this.#end - this.#start
    if (this.#end + bytes.length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(256, (length + bytes.length) * 2))
      this.#bytes.copy(larger, 0, this.#start, this.#end)
      this.#bytes = larger
      this.#start = 0
      this.#end = length
    }
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.length
  }

  take(length: number): Uint8Array {
    const taken = Uint8Array.from(this.#bytes.subarray(this.#start, this.#start + length))
    this.#start += length
    return taken
  }
}
