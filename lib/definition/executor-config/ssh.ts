import * as v from 'valibot'
import { fields, flag, port, text } from '../schema/words.ts'

/** The config of ssh steps, and the DAG's `ssh`, which stands behind it field by field. */
export const Ssh = fields(
  'ssh',
  {
    user: v.optional(text),
    host: v.optional(text),
    port: v.optional(port),
    key: v.optional(text),
    password: v.optional(text),
    strictHostKey: v.optional(flag),
    knownHostFile: v.optional(text),
    shell: v.optional(text),
  },
  {
    older: { ip: 'host', username: 'user', knownHostsFile: 'knownHostFile' },
    notOffered: { bastion: '', timeout: 'write timeoutSec at the step' },
  },
)

/**
 * What an ssh step runs with. `port` is a number, or a text with a variable; host keys are checked unless
 * told otherwise.
 */
export type SshConfig = v.InferOutput<typeof Ssh>
