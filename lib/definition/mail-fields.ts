import type { MailTemplate, SmtpServer } from './definition.ts'
import type { Layers } from './layers.ts'
import type { Place } from './place.ts'

type MailField = 'errorMail' | 'infoMail'

export function readSmtp(layers: Layers): SmtpServer | undefined {
  if (layers.one('smtp') === undefined) return undefined
  const { host = '', port = '', username, password } = layers.fields('smtp')
  if (host.trim() === '') layers.one('smtp')?.place.fault('needs host')
  return { host, port: String(port), username, password }
}

/** Reads recipients and settings of a mail. Missing fields are taken from the base configuration. */
export function readMailTemplate(layers: Layers, field: MailField): MailTemplate | undefined {
  const given = layers.one(field)
  if (given === undefined) return undefined
  const { from = '', to = [], prefix = '', attachLogs = false } = layers.fields(field)
  const template = { from, to: addresses(to, given.place.at('to')), prefix, attachLogs }
  refuseLineBreaks(from, given.place.at('from'))
  refuseLineBreaks(prefix, given.place.at('prefix'))
  return template
}

/** One or more addresses; a text may contain several, separated by commas. */
export function addresses(raw: string | readonly string[], place: Place): string[] {
  const list = typeof raw === 'string' ? raw.split(',') : raw
  const trimmed = list.map((one) => one.trim()).filter((one) => one !== '')
  for (const one of trimmed) refuseLineBreaks(one, place)
  return trimmed
}

/** Reports line breaks, since one in a header would start another header. */
export function refuseLineBreaks(text: string, place: Place): void {
  if (/[\r\n]/.test(text.trim())) place.fault('must be one line')
}
