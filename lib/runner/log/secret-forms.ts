import { limits } from '#lib/core/limits.ts'

/** Shorter lines, such as `{` or `no`, occur everywhere. */
const lineLengthMin = 4
/** Shorter parts of a base64 text occur by chance. */
const base64LengthMin = 6

/**
 * The texts to mask for a secret: the secret, its lines of at least 4 characters, and both encoded as JSON, URL and
 * base64. Base64 is also found within a longer base64 text.
 */
export function secretForms(secrets: Iterable<string>): string[] {
  const forms = new Set<string>()
  for (const secret of secrets) {
    const lines = linesOf(secret)
    const isLong = lines.length > 0 && secret.length > limits.secretFormsLengthMax
    for (const text of isLong ? lines : [secret, secret.trim(), ...lines]) forms.add(text)
  }
  forms.delete('')
  const texts = [...forms]
  let length = 0
  for (const text of texts) {
    if (length + text.length > limits.secretFormsLengthMax) continue
    length += text.length
    for (const form of [...jsonForms(text), ...urlForms(text), ...base64Forms(text)]) forms.add(form)
  }
  forms.delete('')
  return [...forms]
}

function linesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/)
  if (lines.length === 1) return []
  return lines.map((line) => line.trim()).filter((line) => line.length >= lineLengthMin)
}

/** As encoded by JavaScript, Python (ASCII only), Go (`<`, `>` and `&` escaped) and PHP (slashes escaped). */
function jsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = escaped(json, /[\u0080-\uffff]/g)
  return [json, ascii, escaped(json, /[<>&\u2028\u2029]/g), ascii.replaceAll('/', String.raw`\/`)]
}

function escaped(json: string, letters: RegExp): string {
  return json.replaceAll(letters, (char) => String.raw`\u` + char.charCodeAt(0).toString(16).padStart(4, '0'))
}

/** As a URL component, as a form field and inside a whole URL, with upper- and lower-case hex digits. */
function urlForms(text: string): string[] {
  const whole = text.toWellFormed()
  const component = encodeURIComponent(whole)
  const strict = component.replaceAll(
    /[!'()*~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const all = [component, strict, strict.replaceAll('%20', '+'), encodeURI(whole), ...requestForms(whole)]
  return all.flatMap((form) => [form, form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())])
}

/** As an http step sends it in the path and in the query of a URL. */
function requestForms(text: string): string[] {
  const path = text.replaceAll(/[^\x21-\x7e]|["#<>?`{}^\\]/gu, encodeURIComponent)
  return [path, text.replaceAll(/[^\x21-\x7e]|["#<>'&;]/gu, encodeURIComponent)]
}

/**
 * A text may start at any of 3 byte offsets within a base64 group. Characters that also encode a neighbour are left
 * out.
 */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text)
  const inner = [0, 1, 2].map((before) => {
    const code = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return code.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [bytes.toString('base64'), bytes.toString('base64url'), ...inner]
    .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
    .filter((form) => form.length >= base64LengthMin)
}
