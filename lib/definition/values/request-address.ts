import type { TextPart } from './expand.ts'

/** A part of an address, with what the text of the file says about the rest of the host behind it. */
interface AddressPart extends TextPart {
  /** The text behind it ends a login with `@`. */
  readonly isLogin: boolean
  /** The text behind it continues the name of the host, or that with a port. */
  readonly continuesHost: boolean
  readonly continuesAuthority: boolean
  /** The text behind it continues up to `://`. */
  readonly continuesScheme: boolean
  /** The text behind it makes this the name of a query parameter. */
  readonly isKey: boolean
}

type Component = 'scheme' | 'host' | 'path' | 'query' | 'fragment'

const host = /^(?:[\p{L}\p{M}\p{Nd}_.-]+|\[[0-9A-Fa-f:.]+\])$/u
const hostAndPort = /^(?:[\p{L}\p{M}\p{Nd}_.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u
const partOfLabel = /^[A-Za-z0-9-]+$/
const port = /^\d{1,5}$/
/** What is longer is neither; it is not read again for each value. */
const schemeLengthMax = 64
const hostLengthMax = 1_000

/**
 * Puts values into an address so that each stays within its position: in a path or a query, what would end it is
 * percent-encoded; in a host, only what a host may contain is accepted. A value at the beginning is the address itself,
 * up to wherever it goes.
 * @throws Error that names the position, never the value, when a value would change the host, or make a segment `..`
 */
export function fillAddress(parts: readonly TextPart[]): string {
  const address = new Address()
  for (const part of withContext(parts)) address.add(part)
  return address.finish()
}

class Address {
  #text = ''
  #component: Component = 'scheme'
  #hostStart = 0
  /** What the file itself has written of the host. */
  #ownHost = ''
  #hasEmptyHost = false
  #pathStart = 0
  #pathEnd: number | undefined
  /** Where values are in the path. */
  readonly #values: { readonly start: number; readonly end: number }[] = []
  #pair: 'empty' | 'name' | 'value' = 'empty'

  add(part: AddressPart): void {
    if (!part.isValue) this.#write(part.text)
    else if (part.text !== '') this.#insert(part)
    else if (this.#component === 'host') this.#hasEmptyHost ||= this.#text.length === this.#hostStart
  }

  finish(): string {
    this.#refuseDotSegments()
    return this.#text
  }

  #insert(part: AddressPart): void {
    const { text } = part
    if (this.#component === 'scheme') {
      if (part.continuesScheme && !/^[A-Za-z0-9+.-]*$/.test(text)) throw fault('the scheme', 'letters')
      this.#write(text)
    } else if (this.#component === 'host') this.#insertHost(part)
    else if (this.#component === 'path') this.#insertPath(text)
    else if (this.#component === 'query') this.#insertQuery(part)
    else this.#text += text
  }

  #insertHost(part: AddressPart): void {
    const { text } = part
    const before = this.#text.at(-1) ?? ''
    const isWhole = this.#text.length === this.#hostStart || before === '@'
    const slash = text.indexOf('/')
    if (this.#text.length - this.#hostStart > hostLengthMax) throw fault('the host', 'a host')
    if (part.isLogin) {
      this.#text += text.replaceAll(/[^\w.~%-]/gu, encodeURIComponent)
    } else if (slash >= 0 && !part.continuesAuthority) {
      const isGood = slash === 0 ? !isWhole : isWhole && hostAndPort.test(text.slice(0, slash))
      if (!isGood) throw fault('the host', 'a host')
      this.#text += text.slice(0, slash)
      this.#begin('path')
      this.#insertPath(text.slice(slash))
    } else {
      if (!this.#hostForm(part, isWhole, before)?.test(text))
        throw fault('the host', 'a host, or the part of one')
      this.#text += text
    }
  }

  /** What a value may be in a host. Behind the end of a name such as `api.example.com`, it may be nothing. */
  #hostForm(part: AddressPart, isWhole: boolean, before: string): RegExp | undefined {
    if (before === ':' && !isWhole) return port
    const free = part.continuesAuthority ? host : hostAndPort
    if (isWhole || part.continuesHost || /[.-]/.test(before) || this.#ownHost === '') return free
    return this.#ownHost.includes('.') ? undefined : partOfLabel
  }

  #insertPath(text: string): void {
    const start = this.#text.length
    this.#text += text.replaceAll(/[\0-\x20\x7f\\?#]/g, encodeURIComponent)
    this.#values.push({ start, end: this.#text.length })
  }

  /** A value that is alone between `?`, `&` and the end is a list of parameters; any other is a name or a value. */
  #insertQuery({ text, isKey }: AddressPart): void {
    const isList = this.#pair === 'empty' && !isKey
    const ends = isList
      ? /[\0-\x20\x7f#]/g
      : this.#pair === 'value'
        ? /[\0-\x20\x7f#&;]/g
        : /[\0-\x20\x7f#&;=]/g
    this.#text += text.replaceAll(ends, encodeURIComponent)
    if (isKey) this.#pair = 'name'
  }

  /** Adds text that determines the structure. */
  #write(text: string): void {
    let rest = text
    if (this.#component === 'scheme') {
      const head = /^[^:/\\?#]*:[/\\]*/.exec(this.#text + rest)?.[0]
      if (head === undefined) {
        this.#text += rest
        // Not an absolute address, which the executor refuses.
        if (this.#text.length > schemeLengthMax || /[/\\?#]/.test(rest)) this.#component = 'fragment'
        return
      }
      rest = (this.#text + rest).slice(head.length)
      this.#text = head
      this.#component = 'host'
      this.#hostStart = head.length
    }
    if (this.#component === 'host') {
      const name = /^[^/\\?#]*/.exec(rest)?.[0] ?? ''
      this.#text += name
      this.#ownHost += name
      rest = rest.slice(name.length)
      if (rest !== '') this.#begin('path')
    }
    if (this.#component === 'path') rest = this.#writeUntil(rest, /[?#]/, 'query')
    if (this.#component === 'query') rest = this.#writeUntil(rest, /#/, 'fragment')
    this.#text += rest
  }

  /** Adds text up to a mark; from it on, the text is of the next component. @returns the rest */
  #writeUntil(text: string, mark: RegExp, next: Component): string {
    const at = text.search(mark)
    const own = at < 0 ? text : text.slice(0, at)
    this.#text += own
    if (this.#component === 'query') this.#readPairs(own)
    if (at < 0) return ''
    const isFragment = text[at] === '#'
    this.#begin(isFragment ? 'fragment' : next)
    this.#text += text.charAt(at)
    return text.slice(at + 1)
  }

  #readPairs(text: string): void {
    const last = text.slice(text.lastIndexOf('&') + 1)
    if (last.length < text.length) this.#pair = 'empty'
    if (last.includes('=')) this.#pair = 'value'
    else if (last !== '' && this.#pair === 'empty') this.#pair = 'name'
  }

  #begin(next: Component): void {
    if (next === 'path') {
      if (this.#hasEmptyHost && this.#text.length === this.#hostStart) throw fault('the host', 'a host')
      this.#pathStart = this.#text.length
    }
    if (this.#component === 'path') this.#pathEnd = this.#text.length
    this.#component = next
  }

  /** Refuses segments such as `..` that a value is part of, or ends, also where a server would decode them. */
  #refuseDotSegments(): void {
    if (this.#values.length === 0) return
    const path = this.#text.slice(this.#pathStart, this.#pathEnd ?? this.#text.length)
    const separators = /[/\\]|%(?:25)*(?:2f|5c)|$/gi
    let from = 0
    let next = 0
    for (const { 0: separator, index } of path.matchAll(separators)) {
      const segment = path
        .slice(from, index)
        .split(/;|%(?:25)*3b/i, 1)
        .join('')
        .replaceAll(/%(?:25)*2e/gi, '.')
      const [start, end] = [this.#pathStart + from, this.#pathStart + index]
      while ((this.#values[next]?.end ?? Infinity) < start) next += 1
      const isOfValue = (this.#values[next]?.start ?? Infinity) <= end
      if (isOfValue && /^\.\.?$/.test(segment)) throw fault('the path', 'no segment that is . or ..')
      from = index + separator.length
    }
  }
}

/** Looks ahead from each part to what the file has written behind it, in one pass from the end. */
function withContext(parts: readonly TextPart[]): AddressPart[] {
  const context = {
    isLogin: false,
    continuesHost: false,
    continuesAuthority: false,
    continuesScheme: false,
    isKey: false,
  }
  const found: AddressPart[] = []
  for (const part of parts.toReversed()) {
    found.push({ ...part, ...context })
    if (part.isValue) continue
    const authority = /^[^/\\?#]*/.exec(part.text)?.[0] ?? ''
    const isOpen = authority.length === part.text.length
    const pair = /^[^&#]*/.exec(part.text)?.[0] ?? ''
    context.isLogin = authority.includes('@') || (isOpen && context.isLogin)
    context.continuesHost = /^[^:]/.test(authority) || (authority === '' && isOpen && context.continuesHost)
    context.continuesAuthority = authority !== '' || (isOpen && context.continuesAuthority)
    context.continuesScheme = /^[A-Za-z0-9+.-]*:[/\\]/.test(part.text)
    context.isKey = pair.includes('=') || (pair.length === part.text.length && context.isKey)
  }
  return found.reverse()
}

function fault(position: string, wanted: string): Error {
  return new Error(
    `a value in ${position} of the address must be ${wanted}; the file may give the whole address as one value`,
  )
}
