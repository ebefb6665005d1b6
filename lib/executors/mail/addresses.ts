import parseAddresses from 'nodemailer/lib/addressparser'

export interface MailAddress {
  /** May be empty. */
  readonly name: string
  readonly address: string
}

/**
 * Reads the addresses of a mail: `ann@example.org`, `Ann <ann@example.org>`, several behind commas.
 * @throws Error that names what is none; it would be left out silently otherwise
 */
export function readAddresses(field: string, texts: readonly string[]): readonly MailAddress[] {
  for (const text of texts) refuseLineBreak(field, text)
  // Together, because a comma within quotes belongs to a name.
  const all = parseAddresses(texts.filter((text) => text.trim() !== '').join(', '), { flatten: true })
  for (const one of all) {
    if (wanted.test(one.address)) continue
    const given = one.address === '' ? one.name : one.address
    throw new Error(`${field} must be an address such as ann@example.org, is ${JSON.stringify(given)}`)
  }
  return all.map(({ name, address }) => ({ name, address }))
}

const wanted = /^[^\s\p{Cc}<>,;@]+@[^\s\p{Cc}<>,;@]+$/u

/** A line break in a header would begin another one; a variable may bring it in. */
export function refuseLineBreak(field: string, text: string): void {
  if (/[\r\n]/.test(text)) throw new Error(`${field} must be one line, is ${JSON.stringify(text)}`)
}
