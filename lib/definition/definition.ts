/**
 * A DAG as the rest of the service sees it: every short form and older spelling is resolved, every default is
 * filled in, every name in `dependsOn` exists. Texts that may hold `$NAME` or `${…}` are kept as written; values are
 * put in when the step is about to run (lib/definition/values).
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
  /** Steps of one run at the same time; 0: no limit. */
  readonly maxActiveSteps: number
  readonly delaySec: number
  /** Seconds that the whole run may take; 0: no limit. */
  readonly timeoutSec: number
  readonly restartWaitSec: number
  readonly maxCleanUpTimeSec: number
  readonly histRetentionDays: number
  /** Root runs that are kept at most; undefined: no limit. */
  readonly histRetentionRuns: number | undefined
  readonly maxOutputSize: number
  readonly logDir: string | undefined
  readonly logOutput: 'separate' | 'merged'
  /** The queue that runs are placed on; undefined: the DAG's own. */
  readonly queue: string | undefined
  readonly tags: readonly string[]
  readonly workerSelector: Readonly<Record<string, string>>
  readonly smtp: SmtpServer | undefined
  readonly mailOn: { readonly failure: boolean; readonly success: boolean }
  readonly errorMail: MailTemplate | undefined
  readonly infoMail: MailTemplate | undefined
  /** DAG-level container shared by container steps (spec: rule 5 of the container executor). */
  readonly container: Readonly<Record<string, unknown>> | undefined
  readonly registryAuths: Readonly<Record<string, RegistryAuth>>
  readonly ssh: Readonly<Record<string, unknown>> | undefined
  readonly runConfig: { readonly disableParamEdit: boolean; readonly disableRunIdEdit: boolean }
}

export interface NamedText {
  readonly name: string
  readonly value: string
}

/** `name` is undefined for a positional parameter; its place is its order among the positional ones. */
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
  /** Five fields, without the zone prefix. */
  readonly expression: string
  /** IANA name from `CRON_TZ=`; undefined: the service's zone. */
  readonly zone: string | undefined
}

/** Which instants of the schedule that nobody served are made up for, and how far back. */
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

/** The names under which handlers appear as steps of a run. */
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
  /** Names of the steps that must end first, after the chain rule and ids are resolved; sorted by position. */
  readonly dependsOn: readonly string[]
  readonly executor: ExecutorSpec
  /** One entry a command line, run in order; empty when only `script` is given. */
  readonly commands: readonly string[]
  readonly script: string | undefined
  /** Argument vector as the step gives it; undefined: the DAG's. */
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
  /** Present when the step runs another DAG. */
  readonly child: ChildCall | undefined
  readonly workerSelector: Readonly<Record<string, string>>
}

export interface ExecutorSpec {
  /** Canonical: shell, docker, ssh, http, mail, jq, dag. */
  readonly type: ExecutorType
  readonly config: Readonly<Record<string, unknown>>
}

export const executorTypes = ['shell', 'docker', 'ssh', 'http', 'mail', 'jq', 'dag'] as const
export type ExecutorType = (typeof executorTypes)[number]

export interface Condition {
  readonly condition: string
  /** Text, or `re:` and a pattern; undefined: `condition` is a command whose exit status decides. */
  readonly expected: string | undefined
  readonly negate: boolean
}

export interface ContinueOn {
  readonly failure: boolean
  readonly skipped: boolean
  readonly exitCodes: readonly number[]
  /** Literal texts or `re:` patterns looked for in standard output. */
  readonly output: readonly string[]
  readonly markSuccess: boolean
}

export interface RetryPolicy {
  readonly limit: number
  readonly intervalSec: number
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
  /** Executions in all; undefined: no limit. */
  readonly limit: number | undefined
  readonly condition: Condition | undefined
  readonly exitCodes: readonly number[]
  readonly backoff: number
  readonly maxIntervalSec: number | undefined
}

export interface OutputSpec {
  readonly name: string
  /** Name in the run's outputs; undefined: made from `name`. */
  readonly key: string | undefined
  readonly omit: boolean
}

export interface ChildCall {
  /** Local DAG or file name; may hold variables. */
  readonly dag: string
  /** As text; a map or list is turned into `K="v"` pairs. May hold variables. */
  readonly params: string | undefined
  readonly parallel: ParallelCall | undefined
}

export interface ParallelCall {
  /** A text with a variable, or items; an item that is an object stands as its JSON text. */
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

/** One fault of a DAG file. */
export interface Problem {
  readonly message: string
  /** 1-based; absent when the fault has no place in the text. */
  readonly line?: number
  readonly column?: number
}

/** A file as read: its first document, the local DAGs behind it, and all faults. A file with faults is never run. */
export interface SpecReading {
  /** Present even with faults where enough could be read to show something. */
  readonly dag: Definition
  readonly localDags: readonly Definition[]
  readonly problems: readonly Problem[]
}
