import * as v from 'valibot'
import type { SmtpServer } from '../definition.ts'
import { fields, text, textOrList } from '../schema/words.ts'

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
