import type { MailConfig } from '#lib/definition/executor-config/mail.ts'
import type { Executor, StepContext, StepOutcome } from '../executor.ts'
import { findAttachments } from './attachments.ts'
import { sendMail, type Mail } from './send-mail.ts'

/** Sends one mail through the `smtp` server of the DAG (spec/behaviour.md 3.5; attachments are sent, unlike there). */
export const mailExecutor: Executor = { type: 'mail', run: runMail }

async function runMail(context: StepContext): Promise<StepOutcome> {
  try {
    const config = context.config as unknown as MailConfig
    if (config.smtp === undefined) throw new Error('the DAG has no smtp server to send mail through')
    const mail = await compose(config, context.workingDir)
    await context.stdout(Buffer.from(`sending mail to ${mail.to.join(', ')}: ${mail.subject}\n`))
    await sendMail(config.smtp, mail, context.signal)
    return { exitCode: 0, error: '' }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { exitCode: 1, error: context.signal.aborted ? 'the mail was stopped' : why }
  }
}

async function compose(config: MailConfig, workingDir: string): Promise<Mail> {
  const { from = '', subject, message } = config
  const to = config.to.flatMap((one) => one.split(',')).map((one) => one.trim())
  for (const address of to) refuseLineBreak('to', address)
  refuseLineBreak('from', from)
  refuseLineBreak('subject', subject)
  const recipients = to.filter((one) => one !== '')
  if (recipients.length === 0) throw new Error('to names nobody')
  const attachments = await findAttachments(config.attachments, workingDir)
  return { from, to: recipients, subject, ...bodyOf(config, message), attachments }
}

/** A line break in a header would begin another one; a variable may bring it in. */
function refuseLineBreak(name: string, value: string): void {
  if (/[\r\n]/.test(value)) throw new Error(`${name} must be one line, is ${JSON.stringify(value)}`)
}

/** Without `contentType`, markup makes it HTML. Line breaks of HTML that has none of its own stay visible. */
function bodyOf({ contentType }: MailConfig, message: string): { html: string } | { text: string } {
  const hasMarkup = /<[a-z][^>]*>/i.test(message)
  const isHtml = contentType === undefined ? hasMarkup : /^\s*text\/html/i.test(contentType)
  if (!isHtml) return { text: message }
  return { html: hasMarkup ? message : message.replaceAll(/\r?\n/g, '<br>\n') }
}
