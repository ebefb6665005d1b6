import parseAddresses from 'nodemailer/lib/addressparser'
import { limits } from '#lib/core/limits.ts'

export interface MailAddress {
  /** May be empty. */
  readonly name: string
  readonly address: string
}

/**
 * Parses the addresses of a mail: `ann@example.org`, `Ann <ann@example.org>`, several separated by commas.
 * @throws Error that names an invalid address, which would otherwise be left out silently
 */
export function readAddresses(field: string, texts: readonly string[]): readonly MailAddress[] {
  for (const text of texts) refuseLineBreak(field, text)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > limits.mailAddressesLengthMax) {
    throw new Error(`${field} has ${length} characters, at most ${limits.mailAddressesLengthMax} are sent to`)
  }
  // Parsed together, because a comma within quotes belongs to a name.
  const all = parseAddresses(texts.filter((text) => text.trim() !== '').join(', '), { flatten: true })
  for (const one of all) {
    if (wanted.test(one.address)) continue
    const given = one.address === '' ? one.name : one.address
    throw new Error(`${field} must be an address such as ann@example.org, is ${JSON.stringify(given)}`)
  }
  return all.map(({ name, address }) => ({ name, address }))
}

const wanted = /^[^\s\p{Cc}<>,;@]+@[^\s\p{Cc}<>,;@]+$/u

/** Refuses line breaks, which may come from a variable: in a header, one would start another header. */
export function refuseLineBreak(field: string, text: string): void {
  if (/[\r\n]/.test(text))
    throw new Error(`${field} must be one line, is ${JSON.stringify(text.slice(0, 200))}`)
}
