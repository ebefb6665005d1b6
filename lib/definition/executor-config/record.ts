import type { GenericSchema } from 'valibot'
import type { RegistryAuths, SmtpServer } from '../definition.ts'
import type { Position } from '../reading/position.ts'
import type { SshConfig } from '../schema/ssh.ts'
import type { RawStep } from '../schema/step.ts'
import type { SharedContainer } from './docker-config.ts'

/** What a DAG provides to the executors of its steps. */
export interface ExecutorDefaults {
  readonly container: SharedContainer | undefined
  /** Undefined when the DAG has no `ssh` field. */
  readonly ssh: SshConfig | undefined
  readonly smtp: SmtpServer | undefined
  readonly workingDir: string | undefined
  readonly registryAuths: RegistryAuths
}

/** Where the config of a step is, with its context. */
export interface ConfigPosition {
  readonly raw: RawStep
  readonly position: Position
  /** The position of the config, which may be missing. */
  readonly at: Position
  readonly defaults: ExecutorDefaults
}

/**
 * Everything that reading, checking, filling in and documenting a step needs to know of its executor. What runs the
 * step is the entry of the same name in lib/executors/registry.ts.
 */
export interface ExecutorRecord {
  /** Other names by which files call the type. */
  readonly spellings: readonly string[]
  /** What its steps do, for editors. */
  readonly description: string
  /** The schema of its config. Absent: it has none. */
  readonly config?: GenericSchema
  /** How many commands a step may have. */
  readonly command: 'many' | 'one' | 'none'
  /** `work`: a step may have a script alone; `data`: the script goes with a command. */
  readonly script: 'work' | 'data' | 'none'
  /** What reads its programs: `shell` of the step, or `shell` of its config, on another machine. Absent: no shell. */
  readonly shell?: 'local' | 'remote'
  /**
   * How the values of a run get into commands and script (values/fill-texts.ts). `program`: a shell reads them from
   * variables. `words`: they stay within the words of the command. `request`: they stay within their part of a request.
   * `filter`: commands stay as written, since the executor passes values as arguments. `plain`: they are put in.
   */
  readonly texts: 'program' | 'words' | 'request' | 'filter' | 'plain'
  /** Fields of the config that are paths on the machine of the runner. */
  readonly paths?: readonly string[]
  /** The fault of a step without work, after its name. Absent: a step may have none. */
  readonly lacking?: string
  /** Why a step that names no type has this one, and how to choose another: ends a fault. */
  readonly inherited?: string
  /** Checks a command beyond being a text. */
  readonly checkCommand?: (command: string, position: Position) => void
  /** Validates the config, in canonical spelling, with the DAG's defaults filled in. Reports faults at its position. */
  readonly readConfig: (position: ConfigPosition) => object
}

/** How config is read: files of other versions set keys that this service has no use for. */
export const lenient = { unknownKeys: 'warn' } as const
