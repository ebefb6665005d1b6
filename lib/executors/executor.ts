import type { ExecutorType, Step } from '#lib/definition/definition.ts'

/**
 * Where the output of an attempt goes. A promise asks the writer to hold back until it is settled, so that endless
 * output is bounded by the store and not by memory.
 */
export type OutputSink = (bytes: Uint8Array) => Promise<void> | undefined

/** What the deployment allows steps: settings of the service, never of a DAG. */
export interface ExecutorSettings {
  /** Link-local and metadata addresses or networks that http steps may call. */
  readonly httpAllow: readonly string[]
  /** The `jq` program to run instead of the one that is built in. */
  readonly jqPath: string | undefined
  readonly docker?: DockerSettings
}

/** The container engine of the deployment, where a step's environment names no other. */
export interface DockerSettings {
  /** What is refused otherwise: privileged mode and its like, binds of the root, binds of the engine's socket. */
  readonly allow?: readonly ('privileged' | 'root' | 'socket')[]
  /** As DOCKER_HOST; otherwise the socket of this machine, Docker's or Podman's. */
  readonly host?: string | undefined
  /** The folder with ca.pem, cert.pem and key.pem, as DOCKER_CERT_PATH. */
  readonly certPath?: string | undefined
  /** Passwords of registries, as DOCKER_AUTH_CONFIG: JSON. */
  readonly authConfig?: string | undefined
}

/** The run that a step belongs to, for what an executor keeps longer than one attempt. */
export interface RunOfStep {
  readonly runKey: string
  readonly runId: string
  readonly dagName: string
  /** The fence: another one with every claim of the run. */
  readonly token: string
  /** Hands over what must happen when this runner is done with the run: it ended, is given back, or was lost. */
  readonly atEnd: (act: () => Promise<void>) => void
}

/** One attempt of one step, every value already put in (lib/definition/values). */
export interface StepContext {
  readonly step: Step
  /** Command lines after the rules of the executor: for shell they still are program text, values stand in `env`. */
  readonly commands: readonly string[]
  readonly script: string | undefined
  /** Configuration of the executor with its values put in. */
  readonly config: Readonly<Record<string, unknown>>
  /** The whole environment of a process; nothing of the service's own is in it. */
  readonly env: Readonly<Record<string, string>>
  /** Positional parameters `$1`… in order. */
  readonly positional: readonly string[]
  readonly workingDir: string
  /** The argument vector of the shell and whether `-e` is added (spec/behaviour.md 2.7). */
  readonly shell: { readonly argv: readonly string[]; readonly explicit: boolean }
  readonly stdout: OutputSink
  readonly stderr: OutputSink
  /** Aborted with a {@link StopReason} when the attempt must end. */
  readonly signal: AbortSignal
  /** Between the signal of the step and SIGKILL, milliseconds. */
  readonly cleanUpMs: number
  /** Called with the process group of every process that the attempt starts, and again when it is gone. */
  readonly onProcessGroup: (event: { pgid: number; alive: boolean }) => void
  readonly settings: ExecutorSettings
  /** Absent: nothing outlives the attempt. */
  readonly run?: RunOfStep
}

export type StopReason = 'stopped' | 'timed_out' | 'lease_lost'

/** The variable that marks the processes of an attempt: by it the runner finds what an attempt has left behind. */
export const processMarkName = 'DAG_PROCESS_MARK'

/** How an attempt ended. A failed step is an outcome; a throw is a fault of ours and fails the step as well. */
export interface StepOutcome {
  readonly exitCode: number
  /** Empty when it succeeded. */
  readonly error: string
}

export interface Executor {
  readonly type: ExecutorType
  run(context: StepContext): Promise<StepOutcome>
}
