import { ByteSearch } from '#lib/core/byte-search.ts'

const mask = Buffer.from('*******')

export interface ByteMask {
  /** @returns the bytes that may be shown now; a possible beginning of a secret is held back */
  readonly push: (bytes: Uint8Array) => Uint8Array
  /** @returns what was held back */
  readonly end: () => Uint8Array
}

/**
 * Replaces secrets in a stream of bytes, even when they are split over several pieces. Secrets that overlap are masked
 * together.
 */
export function maskBytes(secrets: readonly string[]): ByteMask {
  const search = searchFor(secrets)
  return search === undefined
    ? { push: (bytes) => bytes, end: () => new Uint8Array() }
    : new SecretMask(search)
}

/** By the list of secrets, which all streams of a run share. */
const searches = new WeakMap<readonly string[], ByteSearch>()

function searchFor(secrets: readonly string[]): ByteSearch | undefined {
  const known = searches.get(secrets)
  if (known !== undefined) return known
  const texts = [...new Set(secrets.flatMap((secret) => [secret, secret.trim()]))].filter(
    (text) => text !== '',
  )
  if (texts.length === 0) return undefined
  const search = new ByteSearch(texts.map((text) => Buffer.from(text)))
  searches.set(secrets, search)
  return search
}

/** A part of the stream. Offsets count from its beginning. */
interface Span {
  readonly start: number
  readonly end: number
}

class SecretMask implements ByteMask {
  readonly #search: ByteSearch
  #state = 0
  #length = 0
  /** Secrets that begin in the held bytes, ascending and apart from each other. */
  #found: Span[] = []
  /** Everything before was returned, or replaced. It may lie ahead, within a secret. */
  #shown = 0
  readonly #held = new HeldBytes()

  constructor(search: ByteSearch) {
    this.#search = search
  }

  readonly push = (bytes: Uint8Array): Uint8Array => {
    const search = this.#search
    let state = this.#state
    for (let at = 0; at < bytes.length; at++) {
      state = search.next(state, bytes[at] ?? 0)
      const size = search.foundLength(state)
      const end = this.#length + at + 1
      if (size > 0) this.#add({ start: end - size, end })
    }
    this.#state = state
    this.#length += bytes.length
    this.#held.push(bytes)
    const shown = this.#show(this.#length - search.openLength(state))
    this.#held.keep()
    return shown
  }

  readonly end = (): Uint8Array => this.#show(this.#length)

  #add({ start, end }: Span): void {
    const found = this.#found
    let from = start
    for (let last = found.at(-1); last !== undefined && last.end > from; last = found.at(-1)) {
      from = Math.min(from, last.start)
      found.pop()
    }
    found.push({ start: from, end })
  }

  /** @param until no secret can begin before that is not found yet */
  #show(until: number): Uint8Array {
    const pieces: Uint8Array[] = []
    const found = this.#found
    this.#found = found.filter(({ start }) => start >= until)
    for (const { start, end } of found) {
      if (start >= until) break
      if (start >= this.#shown) pieces.push(...this.#held.take(start), mask)
      this.#shown = Math.max(this.#shown, end)
      this.#held.take(this.#shown)
    }
    pieces.push(...this.#held.take(until))
    this.#shown = Math.max(this.#shown, until)
    return Buffer.concat(pieces)
  }
}

const piecesMax = 1_000

/** The bytes of a stream that were not given away yet. */
class HeldBytes {
  #pieces: Uint8Array[] = []
  /** Offset of the first of them. */
  #start = 0

  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
  }

  /** Removes everything before an offset. */
  take(until: number): Uint8Array[] {
    const taken: Uint8Array[] = []
    for (let [first] = this.#pieces; first !== undefined && this.#start < until; [first] = this.#pieces) {
      const piece = first.subarray(0, until - this.#start)
      taken.push(piece)
      if (piece.length === first.length) this.#pieces.shift()
      else this.#pieces[0] = first.subarray(piece.length)
      this.#start += piece.length
    }
    return taken
  }

  /** Makes the piece that was pushed last our own, because the caller writes into its buffer again. */
  keep(): void {
    const last = this.#pieces.pop()
    if (last === undefined) return
    if (this.#pieces.length < piecesMax) this.#pieces.push(Uint8Array.from(last))
    else this.#pieces = [Buffer.concat([...this.#pieces, last])]
  }
}
