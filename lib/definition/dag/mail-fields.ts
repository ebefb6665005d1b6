import type { MailTemplate, SmtpServer } from '#lib/definition/definition.ts'
import type { Layers } from '#lib/definition/reading/layers.ts'
import type { Position } from '#lib/definition/reading/position.ts'

type MailField = 'errorMail' | 'infoMail'

export function readSmtp(layers: Layers): SmtpServer | undefined {
  if (layers.one('smtp') === undefined) return undefined
  const { host = '', port = '', username, password } = layers.fields('smtp')
  if (host.trim() === '') {
    layers.one('smtp')?.position.warn('needs host, which neither the file nor the base configuration gives')
  }
  return { host, port: String(port), username, password }
}

/** Reads recipients and settings of a mail. Missing fields are taken from the base configuration. */
export function readMailTemplate(layers: Layers, field: MailField): MailTemplate | undefined {
  const given = layers.one(field)
  if (given === undefined) return undefined
  const { from = '', to = [], prefix = '', attachLogs = false } = layers.fields(field)
  const template = { from, to: addresses(to, given.position.at('to')), prefix, attachLogs }
  refuseLineBreaks(from, given.position.at('from'))
  refuseLineBreaks(prefix, given.position.at('prefix'))
  return template
}

/** One or more addresses; a text may contain several, separated by commas or line breaks. */
export function addresses(raw: string | readonly string[], position: Position): string[] {
  const list = typeof raw === 'string' ? raw.split(/[,\n]/) : raw
  const trimmed = list.map((one) => one.trim()).filter((one) => one !== '')
  for (const one of trimmed) {
    refuseLineBreaks(one, position)
    // Looks like a line of a header; a group of addresses, which looks the same, is not offered.
    if (/^[\w-]+:/.test(one)) position.fault(`must be addresses, is ${JSON.stringify(one.slice(0, 60))}`)
  }
  return trimmed
}

/** Reports line breaks, since one in a header would start another header. */
export function refuseLineBreaks(text: string, position: Position): void {
  if (/[\r\n]/.test(text.trim())) position.fault('must be one line')
}

/**
 * Attachments come from the working directory only. What can be known from the file is reported here; the rest is
 * checked when the mail is sent.
 */
export function checkAttachments(
  files: readonly string[],
  workingDir: string | undefined,
  position: Position,
): void {
  const isKnown = (path: string): boolean => !/[$`~]/.test(path)
  for (const [index, file] of files.entries()) {
    if (!isKnown(file)) continue
    const at = position.items()[index] ?? position
    const shown = JSON.stringify(file.slice(0, 60))
    if (climbs(file)) at.fault(`must lie within the working directory, is ${shown}`)
    else if (file.startsWith('/') && workingDir === undefined) {
      at.warn(`must lie within the working directory, which the file does not set, is ${shown}`)
    } else if (file.startsWith('/') && workingDir?.startsWith('/') === true && isKnown(workingDir)) {
      const folder = `${workingDir.replace(/\/$/, '')}/`
      if (!file.startsWith(folder) || climbs(file.slice(folder.length))) {
        at.fault(`must lie within the working directory ${workingDir}, is ${shown}`)
      }
    }
  }
}

/** Whether `..` leads a path above its start. */
function climbs(path: string): boolean {
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1
    else if (part !== '' && part !== '.') depth += 1
    if (depth < 0) return true
  }
  return false
}
