import { messageOf } from '#lib/core/errors.ts'
import type { MailConfig } from '#lib/definition/executor-config/mail.ts'
import type { Executor, StepContext, StepOutcome } from '../executor.ts'
import { addressRule } from '../metadata-addresses.ts'
import { readAddresses, refuseLineBreak } from './addresses.ts'
import { closeAttachments, openAttachments, type Attachment } from './attachments.ts'
import { sendMail, type Mail } from './send-mail.ts'

/** Sends one mail through the `smtp` server of the DAG, with its attachments. */
export const mailExecutor: Executor = { run: runMail }

type Composed = Mail & { readonly attachments: readonly Attachment[] }

async function runMail(context: StepContext): Promise<StepOutcome> {
  let mail: Composed | undefined
  try {
    const config = context.config as unknown as MailConfig
    if (config.smtp === undefined) throw new Error('the DAG has no smtp server to send mail through')
    mail = compose(config, context)
    await context.stdout(Buffer.from(`sending mail to ${mail.to.join(', ')}: ${mail.subject}\n`))
    const isAllowed = addressRule(context.settings.httpAllow)
    await sendMail(config.smtp, mail, { signal: context.signal, isAllowed })
    return { exitCode: 0, error: '' }
  } catch (error) {
    const why = messageOf(error)
    return { exitCode: 1, error: context.signal.aborted ? 'the mail was stopped' : why }
  } finally {
    closeAttachments(mail?.attachments ?? [])
  }
}

function compose(config: MailConfig, { workingDir, settings }: StepContext): Composed {
  const { from = '', subject, message } = config
  const sender = from.trim() === '' ? (config.smtp?.username ?? '') : from
  if (readAddresses('from', [sender]).length !== 1) throw new Error('from must be one address, of the sender')
  const to = config.to.map((one) => one.trim()).filter((one) => one !== '')
  if (readAddresses('to', to).length === 0) throw new Error('to has no address')
  const body = bodyOf(config.contentType, message)
  const attachments = openAttachments(config.attachments, workingDir, settings.fileBounds)
  return { from: sender, to, subject, ...body, attachments }
}

/** Without a content type, text with markup is HTML. Its line breaks become visible when it has no HTML line breaks. */
function bodyOf(
  contentType: string | undefined,
  message: string,
): Pick<Mail, 'html'> | Pick<Mail, 'text'> | Pick<Mail, 'other'> {
  const hasMarkup = /<[a-z][^<>]*>/i.test(message)
  const given = contentType === undefined || contentType.trim() === '' ? undefined : contentType.trim()
  refuseLineBreak('contentType', given ?? '')
  const type = given?.split(';', 1)[0]?.trim().toLowerCase() ?? (hasMarkup ? 'text/html' : 'text/plain')
  if (type === 'text/html') return { html: hasMarkup ? message : message.replaceAll(/\r?\n/g, '<br>\n') }
  if (type === 'text/plain') return { text: message }
  if (/^[\w.+-]+\/[\w.+-]+$/.test(type)) return { other: { contentType: type, content: message } }
  throw new Error(`contentType must be such as text/html, is ${JSON.stringify(given)}`)
}
