import * as v from 'valibot'
import { addresses, checkAttachments, refuseLineBreaks } from '../dag/mail-fields.ts'
import type { SmtpServer } from '../definition.ts'
import { readShape } from '../reading/shape.ts'
import { fields, text, textOrList } from '../schema/words.ts'
import { lenient, type ConfigPosition, type ExecutorRecord } from './record.ts'

export const Mail = fields(
  'the config of a mail step',
  {
    from: v.optional(text),
    to: v.optional(textOrList),
    subject: v.optional(text),
    message: v.optional(text),
    attachments: v.optional(textOrList),
    contentType: v.optional(text),
  },
  { older: { body: 'message' } },
)

/** The config as the executor receives it. `smtp` is that of the DAG. */
export interface MailConfig {
  readonly from?: string
  readonly to: readonly string[]
  readonly subject: string
  readonly message: string
  readonly attachments: readonly string[]
  readonly contentType?: string
  readonly smtp?: SmtpServer
}

export const mail: ExecutorRecord = {
  spellings: [],
  description: 'sends a mail through the smtp server of the DAG',
  config: Mail,
  command: 'none',
  script: 'none',
  texts: 'plain',
  readConfig,
}

function readConfig({ raw: step, at, defaults: { smtp, workingDir } }: ConfigPosition): MailConfig {
  const { value: raw = {}, position } = readShape(Mail, at, lenient)
  const { from, to = [], subject = '', message = '', attachments = [], contentType } = raw
  refuseLineBreaks(subject, position.at('subject'))
  refuseLineBreaks(from ?? '', position.at('from'))
  refuseLineBreaks(contentType ?? '', position.at('contentType'))
  const files = [attachments].flat()
  checkAttachments(files, step.workingDir ?? workingDir, position.at('attachments'))
  const all = addresses(to, position.at('to'))
  if (all.length === 0 && position.at('to').node === undefined)
    at.fault('needs to, the address of whom the mail is for')
  return {
    ...(from !== undefined && { from }),
    to: all,
    subject,
    message,
    attachments: files,
    ...(contentType !== undefined && { contentType }),
    ...(smtp !== undefined && { smtp }),
  }
}
