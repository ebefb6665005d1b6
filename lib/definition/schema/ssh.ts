import * as v from 'valibot'
import { fields, flag, port, text } from './words.ts'

/** The `ssh` of a DAG, and the config of ssh steps. The DAG's `ssh` provides the default of each field. */
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

/** The config of an ssh step. `port` is a number, or a text with a variable. Host keys are checked unless disabled. */
export type SshConfig = v.InferOutput<typeof Ssh>
