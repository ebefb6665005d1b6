import type { Step } from '#lib/definition/definition.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'

/**
 * Receives the output of an attempt. A returned promise means back-pressure: the writer waits until it settles, so that
 * the store limits endless output, not memory.
 */
export type OutputSink = (bytes: Uint8Array) => Promise<void> | undefined

/** Replaces secrets in a stream of bytes. Both functions return what may be shown by then. */
export interface OutputMask {
  readonly push: (bytes: Uint8Array) => Uint8Array
  readonly end: () => Uint8Array
}

/** What the deployment allows steps to do: settings of the service, never of a DAG. */
export interface ExecutorSettings {
  /** Link-local and metadata addresses or networks that http and mail steps may call. */
  readonly httpAllow: readonly string[]
  /** Path of a `jq` program to use instead of the built-in one. */
  readonly jqPath: string | undefined
  readonly docker?: DockerSettings
  /** Where all files that DAGs name must be; default: anywhere. */
  readonly fileBounds?: readonly FileBound[]
}

/** The container engine of the deployment, used unless a step's environment names another. */
export interface DockerSettings {
  /**
   * Exceptions from what is refused: privileged mode and similar, binds of the root folder, binds of the engine's
   * socket.
   */
  readonly allow?: readonly ('privileged' | 'root' | 'socket')[]
  /** In the form of DOCKER_HOST; default: the local socket of Docker or Podman. */
  readonly host?: string | undefined
  /** Folder with ca.pem, cert.pem and key.pem, as in DOCKER_CERT_PATH. */
  readonly certPath?: string | undefined
  /** Credentials of registries as JSON, as in DOCKER_AUTH_CONFIG. */
  readonly authConfig?: string | undefined
}

/** The run of a step, for executors that keep something longer than one attempt. */
export interface RunOfStep {
  /** The runner that has claimed it. */
  readonly owner: string
  readonly runKey: string
  readonly runId: string
  readonly dagName: string
  /** Lease token; each claim of the run has a new one. */
  readonly token: string
  /** Registers what to do when this runner is done with the run: it ended, is given back, or was lost. */
  readonly atEnd: (act: () => Promise<void>) => void
}

/** One attempt of a step, with all values expanded (lib/definition/values). */
export interface StepContext {
  readonly step: Step
  /**
   * Commands, expanded by the rules of the executor. For shell they are still program text, and values are in `env`.
   */
  readonly commands: readonly string[]
  readonly script: string | undefined
  /** Expanded configuration of the executor. */
  readonly config: Readonly<Record<string, unknown>>
  /** The complete environment for a process, without anything of the service's own. */
  readonly env: Readonly<Record<string, string>>
  /** Positional parameters `$1`… in order. */
  readonly positional: readonly string[]
  readonly workingDir: string
  /**
   * Argument vector of the shell; `explicit`: the step chose it, so `-e` is not added. `usual`:
   * the shell of scripts that have neither a shell nor an interpreter; default sh.
   */
  readonly shell: { readonly argv: readonly string[]; readonly explicit: boolean; readonly usual?: string }
  readonly stdout: OutputSink
  readonly stderr: OutputSink
  /** Masks the secrets of the run in what is cut out of the output, before it is cut; absent: there are none. */
  readonly mask?: (() => OutputMask) | undefined
  /** Aborted with a {@link StopReason} when the attempt must end. */
  readonly signal: AbortSignal
  /** Time between the signal of the step and SIGKILL, milliseconds. */
  readonly cleanUpMs: number
  /** Called with the process group of each process that the attempt starts, and again when the group has ended. */
  readonly onProcessGroup: (event: { pgid: number; alive: boolean }) => void
  readonly settings: ExecutorSettings
  /** Absent: nothing may outlive the attempt. */
  readonly run?: RunOfStep
}

export type StopReason = 'stopped' | 'timed_out' | 'lease_lost'

/** Marks the processes of an attempt in their environment, so that the runner finds strays. */
export const processMarkName = 'DAG_PROCESS_MARK'

/** How an attempt ended. A failed step is an outcome; a thrown error is a bug of ours and fails the step too. */
export interface StepOutcome {
  readonly exitCode: number
  /** Empty on success. */
  readonly error: string
}

export interface Executor {
  run(context: StepContext): Promise<StepOutcome>
}
