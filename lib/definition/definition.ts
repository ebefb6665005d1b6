/**
 * A DAG in its normal form: short forms and older spellings are resolved, defaults are filled in, every name in
 * `dependsOn` exists. Texts with `$NAME` or `${…}` are kept as written; they are expanded when the step is about to run
 * (lib/definition/values).
 */
export interface Definition {
  readonly name: string
  readonly group: string
  readonly description: string
  readonly type: 'chain' | 'graph'
  readonly schedule: ScheduleLists
  readonly skipIfSuccessful: boolean
  readonly catchUp: CatchUp
  readonly overlapPolicy: 'skip' | 'all' | 'latest'
  readonly params: readonly ParamDefault[]
  /** A JSON Schema that the params must satisfy, for `params: {schema, values}`. */
  readonly paramsSchema: Readonly<Record<string, unknown>> | undefined
  readonly env: readonly NamedText[]
  readonly dotenv: readonly string[]
  readonly secrets: readonly SecretSource[]
  /** Argument vector of the default shell; undefined: the system's, with `-e`. */
  readonly shell: readonly string[] | undefined
  readonly workingDir: string | undefined
  readonly steps: readonly Step[]
  readonly handlers: Handlers
  readonly preconditions: readonly Condition[]
  readonly maxActiveRuns: number
  /** Maximum number of steps of one run at the same time; 0: no limit. */
  readonly maxActiveSteps: number
  readonly delaySec: number
  /** Time limit of the whole run in seconds; 0: no limit. */
  readonly timeoutSec: number
  readonly restartWaitSec: number
  readonly maxCleanUpTimeSec: number
  readonly histRetentionDays: number
  /** Maximum number of root runs to keep; undefined: no limit. */
  readonly histRetentionRuns: number | undefined
  readonly maxOutputSize: number
  readonly logDir: string | undefined
  readonly logOutput: 'separate' | 'merged'
  /** The queue for runs of this DAG; undefined: the DAG's own queue. */
  readonly queue: string | undefined
  readonly tags: readonly string[]
  readonly workerSelector: Readonly<Record<string, string>>
  readonly smtp: SmtpServer | undefined
  readonly mailOn: { readonly failure: boolean; readonly success: boolean }
  readonly errorMail: MailTemplate | undefined
  readonly infoMail: MailTemplate | undefined
  /** The container that all container steps of a run share. */
  readonly container: Readonly<Record<string, unknown>> | undefined
  readonly registryAuths: RegistryAuths
  readonly ssh: Readonly<Record<string, unknown>> | undefined
  readonly runConfig: { readonly disableParamEdit: boolean; readonly disableRunIdEdit: boolean }
}

export interface NamedText {
  readonly name: string
  readonly value: string
}

/** `name` is undefined for a positional parameter, which is identified by its order among the positional ones. */
export interface ParamDefault {
  readonly name: string | undefined
  readonly value: string
}

export interface SecretSource {
  readonly name: string
  readonly provider: 'env' | 'file'
  readonly key: string
}

export interface ScheduleEntry {
  /** Five cron fields, without the time zone. */
  readonly expression: string
  /** IANA name from `CRON_TZ=`; undefined: the time zone of the service. */
  readonly zone: string | undefined
}

/** Which missed times of a schedule are made up for, and how old they may be. */
export interface CatchUp {
  readonly policy: 'none' | 'last' | 'all'
  readonly windowSec: number
}

export interface ScheduleLists {
  readonly start: readonly ScheduleEntry[]
  readonly stop: readonly ScheduleEntry[]
  readonly restart: readonly ScheduleEntry[]
}

export interface Handlers {
  readonly init?: Step
  readonly success?: Step
  readonly failure?: Step
  readonly cancel?: Step
  readonly exit?: Step
}

/** Names under which handlers appear as steps of a run. */
export const handlerStepNames = {
  init: 'onInit',
  success: 'onSuccess',
  failure: 'onFailure',
  cancel: 'onCancel',
  exit: 'onExit',
} as const

export interface Step {
  readonly name: string
  readonly id: string | undefined
  readonly description: string
  /**
   * Names of the steps that must end first, after ids and the implicit order of a chain are resolved; sorted by
   * position.
   */
  readonly dependsOn: readonly string[]
  readonly executor: ExecutorSpec
  /** Command lines, run in order; empty when there is only a `script`. */
  readonly commands: readonly string[]
  readonly script: string | undefined
  /** Argument vector given by the step; undefined: the shell of the DAG. */
  readonly shell: readonly string[] | undefined
  readonly workingDir: string | undefined
  readonly env: readonly NamedText[]
  readonly preconditions: readonly Condition[]
  readonly continueOn: ContinueOn
  readonly retryPolicy: RetryPolicy | undefined
  readonly repeatPolicy: RepeatPolicy | undefined
  readonly output: OutputSpec | undefined
  readonly stdout: string | undefined
  readonly stderr: string | undefined
  readonly logOutput: 'separate' | 'merged' | undefined
  readonly signalOnStop: string
  readonly timeoutSec: number
  readonly mailOnError: boolean
  /** Set when the step runs another DAG. */
  readonly child: ChildCall | undefined
  readonly workerSelector: Readonly<Record<string, string>>
}

export interface ExecutorSpec {
  /** Canonical name. */
  readonly type: ExecutorType
  readonly config: Readonly<Record<string, unknown>>
}

/** Each has a record in executor-config/. */
export const executorTypes = ['shell', 'docker', 'ssh', 'http', 'mail', 'jq', 'dag'] as const
export type ExecutorType = (typeof executorTypes)[number]

export interface Condition {
  readonly condition: string
  /** A text, or `re:` with a pattern; undefined: `condition` is a command, and its exit status decides. */
  readonly expected: string | undefined
  readonly negate: boolean
}

export interface ContinueOn {
  readonly failure: boolean
  readonly skipped: boolean
  readonly exitCodes: readonly number[]
  /** Literal texts or `re:` patterns to find in standard output. */
  readonly output: readonly string[]
  readonly markSuccess: boolean
}

export interface RetryPolicy {
  readonly limit: number
  readonly intervalSec: number
  /** Texts with variables, for which the numbers above stand only after a run has evaluated them. */
  readonly written?: { readonly limit?: string; readonly intervalSec?: string }
  /** Empty: every failure is retried. */
  readonly exitCodes: readonly number[]
  /** Factor per retry; 1: constant. */
  readonly backoff: number
  readonly maxIntervalSec: number | undefined
}

export interface RepeatPolicy {
  /** `always` is `repeat: true`: again while the step succeeds. */
  readonly mode: 'always' | 'while' | 'until'
  readonly intervalSec: number
  /** Maximum number of executions; undefined: no limit. */
  readonly limit: number | undefined
  readonly condition: Condition | undefined
  readonly exitCodes: readonly number[]
  readonly backoff: number
  readonly maxIntervalSec: number | undefined
}

export interface OutputSpec {
  readonly name: string
  /** Name in the outputs of the run; undefined: derived from `name`. */
  readonly key: string | undefined
  readonly omit: boolean
}

export interface ChildCall {
  /** Name of a local DAG or a file; may contain variables. */
  readonly dag: string
  /** As text; a map or list is converted to `K="v"` pairs. May contain variables. */
  readonly params: string | undefined
  readonly parallel: ParallelCall | undefined
}

export interface ParallelCall {
  /** A text with a variable, or a list of items, in which objects are JSON text. */
  readonly items: string | readonly string[]
  readonly maxConcurrent: number
}

export interface SmtpServer {
  readonly host: string
  readonly port: string
  readonly username: string | undefined
  readonly password: string | undefined
}

export interface MailTemplate {
  readonly from: string
  readonly to: readonly string[]
  readonly prefix: string
  readonly attachLogs: boolean
}

export interface RegistryAuth {
  readonly username: string
  readonly password: string
}

/** User name and password in one text, as base64 of `user:password`. */
export interface BasicAuth {
  readonly auth: string
}

/**
 * By registry. A text is JSON that a run gets by expanding it: of one registry, or, under the empty name, of all as in
 * `config.json` of the Docker client.
 */
export type RegistryAuths = Readonly<Record<string, RegistryAuth | BasicAuth | string>>

/** One fault of a DAG file, or a warning about it. */
export interface Problem {
  readonly message: string
  /** Counted from 1; absent when the fault has no position in the text. */
  readonly line?: number
  readonly column?: number
  /** Where a single value that is wrong is over; the column is the first behind it. */
  readonly endLine?: number
  readonly endColumn?: number
}

/** Where a step is in the text, lines counted from 1. */
export interface StepLines {
  readonly name: string
  readonly firstLine: number
  readonly lastLine: number
}

/** Something outside of the file that it names literally. */
export interface Mention {
  readonly kind: 'dag' | 'queue'
  readonly name: string
  readonly line: number
  readonly column: number
}

/** A parsed file: its first document, the local DAGs after it, and all faults. A file with faults is never run. */
export interface SpecReading {
  /** Also present with faults, as far as the file could be read, so that it can be shown. */
  readonly dag: Definition
  readonly localDags: readonly Definition[]
  readonly problems: readonly Problem[]
  /** What may not do what the author expects. A file with warnings runs. */
  readonly warnings: readonly Problem[]
  readonly mentions: readonly Mention[]
  /** Of the steps of `dag`, in its order. */
  readonly stepLines: readonly StepLines[]
}
