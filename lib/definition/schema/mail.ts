import * as v from 'valibot'
import { fields, flag, port, text, textOrList } from './words.ts'

const humans = 'this service waits for no approvals'

export const Smtp = fields(
  'smtp',
  {
    host: v.optional(text),
    port: v.optional(port),
    username: v.optional(text),
    password: v.optional(text),
  },
  { older: { user: 'username' } },
)

export const MailOn = fields(
  'mailOn',
  {
    failure: v.optional(flag),
    success: v.optional(flag),
  },
  { older: { failed: 'failure' }, notOffered: { wait: humans } },
)

export const MailTemplate = fields('a mail', {
  from: v.optional(text),
  to: v.optional(textOrList),
  prefix: v.optional(text),
  attachLogs: v.optional(flag),
})
