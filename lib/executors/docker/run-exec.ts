import type Dockerode from 'dockerode'
import { keepTail, tailNote } from '../shell/stderr-tail.ts'
import type { StepContext, StepOutcome } from '../executor.ts'
import type { Engine } from './client.ts'
import { inspectContainer, patienceMs, type Container } from './container.ts'
import { statusOf } from './engine-fault.ts'
import { markName, signalFromOutside, signalMarked } from './marked-processes.ts'
import { OutputPump } from './output.ts'
import { endWord, finishOutput } from './run-main.ts'
import { stopOnAbort } from './stop.ts'
import { pause, unlessStuck, within } from './waiting.ts'

/**
 * After the process has ended, its output counts as complete after this silence; leftover processes may still write.
 * Milliseconds.
 */
const drainMs = 1_000
/** How long a container may take to end after its commands were killed, milliseconds. */
const dyingMs = 1_000
/** Interval of asking whether the process has ended, milliseconds. */
const askMs = 2_000

export interface ExecPlan {
  readonly argv: readonly string[]
  readonly user?: string
  readonly workingDir?: string
  /** NAME=value. */
  readonly env: readonly string[]
  /** Distinguishes the processes of this attempt from all others in the container. */
  readonly mark: string
}

type ExecContext = Pick<StepContext, 'stdout' | 'stderr' | 'mask' | 'signal' | 'cleanUpMs' | 'step'>

/** Runs a command in a running container without disturbing the container's own process. */
export async function runExec(
  engine: Engine,
  container: Container,
  plan: ExecPlan,
  context: ExecContext,
): Promise<StepOutcome> {
  const { signal, cleanUpMs, step } = context
  const exec = await container.exec({
    Cmd: [...plan.argv],
    AttachStdout: true,
    AttachStderr: true,
    Env: [...plan.env, `${markName}=${plan.mark}`],
    ...(plan.user !== undefined && { User: plan.user }),
    ...(plan.workingDir !== undefined && { WorkingDir: plan.workingDir }),
    abortSignal: signal,
  })
  const send = async (name: string): Promise<void> => {
    const isDone = await signalMarked(container, plan, name)
    if (!isDone) await signalFromOutside(engine, container, exec, name)
  }
  signal.throwIfAborted()
  const starting = exec.start({ hijack: true, stdin: false })
  const stream = await unlessStuck(starting, signal, patienceMs).catch((error: unknown) => {
    starting.then((late) => send('SIGKILL').finally(() => late.destroy())).catch(() => undefined)
    throw error
  })
  const tail = keepTail(context.stderr, context.mask?.())
  const pump = new OutputPump(stream, { stdout: context.stdout, stderr: tail.sink }, true)
  const over = new AbortController()
  const stopping = { signal, cleanUpMs, send, stopSignal: step.signalOnStop, dropOutput: pump.dropHeld }
  const watch = stopOnAbort(stopping, patienceMs)
  try {
    const ended = endOf(exec, pump, over.signal)
    const end = await Promise.race([ended, watch.inVain, pump.done.then(() => ended)])
    if (end === 'in vain') {
      return {
        exitCode: 137,
        error: `the command cannot be ended in the container ${container.id.slice(0, 12)}`,
      }
    }
    await finishOutput(pump, signal, drainMs)
    return await outcomeOf(container, end, tail.text(), context)
  } finally {
    watch.clear()
    over.abort()
    pump.close()
  }
}

/** Waits until the process has ended. @returns its exit code; undefined when the container is gone */
async function endOf(exec: Dockerode.Exec, pump: OutputPump, over: AbortSignal): Promise<number | undefined> {
  const closed = pump.done.then(
    () => true,
    () => true,
  )
  let isClosed = false
  for (let wait = 10; !over.aborted; wait = Math.min(wait * 2, askMs)) {
    // A leftover process may hold the output open, and a process may close its output and continue.
    if (isClosed) await pause(wait, over)
    else isClosed = await within(askMs, closed, false)
    const now = await inspectExec(exec, over)
    if (now?.Running !== true) return now?.ExitCode ?? undefined
  }
  return undefined
}

async function inspectExec(
  exec: Dockerode.Exec,
  signal: AbortSignal,
): Promise<Dockerode.ExecInspectInfo | undefined> {
  try {
    return await exec.inspect({ abortSignal: signal })
  } catch (error) {
    // The container ended, and its commands with it.
    if (statusOf(error) !== undefined || signal.aborted) return undefined
    throw error
  }
}

async function outcomeOf(
  container: Container,
  exitCode: number | undefined,
  tail: string,
  { signal }: ExecContext,
): Promise<StepOutcome> {
  if (exitCode === 0) return { exitCode, error: '' }
  if (exitCode === undefined || (!signal.aborted && exitCode === 137 && (await hasEnded(container)))) {
    return {
      exitCode: exitCode ?? 137,
      error: `the container ended while the command ran in it${tailNote(tail)}`,
    }
  }
  if (signal.aborted) return { exitCode, error: `the command was stopped (${endWord(exitCode)})` }
  return { exitCode, error: `${endWord(exitCode)}${tailNote(tail)}` }
}

/** Asks for a short time, because commands are killed before the container itself has ended. */
async function hasEnded(container: Container): Promise<boolean> {
  const signal = AbortSignal.timeout(dyingMs)
  while (!signal.aborted) {
    const found = await inspectContainer(container, signal).catch(() => undefined)
    if (found?.State.Running !== true) return !signal.aborted
    await pause(50, signal)
  }
  return false
}
