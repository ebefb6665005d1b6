import { setTimeout } from 'node:timers/promises'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import type Dockerode from 'dockerode'
import { keepTail, tailNote } from '../shell/stderr-tail.ts'
import type { StepContext, StepOutcome } from '../executor.ts'
import { inspectContainer, patienceMs, signalContainer, type Container } from './container.ts'
import { OutputPump } from './output.ts'
import { stopOnAbort } from './stop.ts'
import { unlessAborted, unlessStuck, within } from './waiting.ts'

/** After a container has ended, its output counts as complete after this silence, milliseconds. */
const drainMs = 5_000
/** How often, and at which interval, a killed container is inspected for the reason. */
const looksMax = 10
const lookEveryMs = 100

export type MainContext = Pick<StepContext, 'stdout' | 'stderr' | 'mask' | 'signal' | 'cleanUpMs' | 'step'>

/**
 * Starts a container and follows it to its end. The caller must remove it: after a stop or a fault it may still be
 * running.
 */
export async function runMain(
  container: Container,
  context: MainContext,
  hasTerminal: boolean,
): Promise<StepOutcome> {
  const { signal, cleanUpMs, step } = context
  const over = new AbortController()
  // Parameters go into the URL only: Podman passes the body of this request to the container as input.
  const options = {
    _query: { stream: true, stdout: true, stderr: true },
    _body: {},
  } as Dockerode.ContainerAttachOptions
  const attached = container.attach(options) as Promise<unknown> as Promise<Readable>
  const stream = await unlessAborted(attached, signal).catch((error: unknown) => {
    void attached.then((late) => late.destroy()).catch(() => undefined)
    throw error
  })
  const tail = keepTail(context.stderr, context.mask?.())
  const pump = new OutputPump(stream, { stdout: context.stdout, stderr: tail.sink }, !hasTerminal)
  try {
    signal.throwIfAborted()
    await unlessStuck(container.start() as Promise<unknown>, signal, patienceMs)
    const send = (name: string): Promise<void> => signalContainer(container, name)
    const stopping = { signal, cleanUpMs, send, stopSignal: step.signalOnStop, dropOutput: pump.dropHeld }
    const watch = stopOnAbort(stopping, patienceMs)
    try {
      const waiting = container.wait({ abortSignal: over.signal }) as Promise<{ StatusCode: number }>
      waiting.catch(() => undefined)
      const ended = Promise.race([waiting, watch.inVain])
      // A failing sink, or a lost connection, ends the step.
      const end = await Promise.race([ended, pump.done.then(() => ended)])
      if (end === 'in vain') return { exitCode: 137, error: 'the container does not end' }
      await finishOutput(pump, signal, drainMs)
      const state = await stateAtEnd(container, end.StatusCode, signal)
      return outcomeOf(end.StatusCode, state, tail.text(), signal)
    } finally {
      watch.clear()
    }
  } finally {
    over.abort()
    pump.close()
  }
}

/**
 * The engine learns the reason of the kernel (out of memory) only after the end. So a container that was killed, but
 * not by us, is inspected again for a while.
 */
async function stateAtEnd(
  container: Container,
  exitCode: number,
  signal: AbortSignal,
): Promise<Dockerode.ContainerInspectInfo['State'] | undefined> {
  for (let look = 1; ; look++) {
    const state = (await inspectContainer(container, AbortSignal.timeout(patienceMs)))?.State
    const isCertain = exitCode !== 137 || signal.aborted || state === undefined || state.OOMKilled
    if (isCertain || look === looksMax) return state
    await setTimeout(lookEveryMs)
  }
}

/** Finishes the output; after a stop, does not wait forever for a sink that is blocked. */
export async function finishOutput(pump: OutputPump, signal: AbortSignal, idleMs: number): Promise<void> {
  const finished = pump.finish(idleMs)
  await (signal.aborted ? within(drainMs, finished, undefined) : unlessStuck(finished, signal, drainMs))
}

function outcomeOf(
  exitCode: number,
  state: Dockerode.ContainerInspectInfo['State'] | undefined,
  tail: string,
  signal: AbortSignal,
): StepOutcome {
  // Podman reports 0 for a container that somebody removed while it was running.
  if (state === undefined)
    return { exitCode: 137, error: `the container was removed while it ran${tailNote(tail)}` }
  if (exitCode === 0) return { exitCode, error: '' }
  if (signal.aborted) return { exitCode, error: `the container was stopped (${endWord(exitCode)})` }
  const memory = state.OOMKilled ? 'the container ran out of memory: ' : ''
  return { exitCode, error: `${memory}${endWord(exitCode)}${tailNote(tail)}` }
}

/** Describes the end of a process: `exit status 3`, `signal: SIGKILL`. */
export function endWord(exitCode: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number)?.[0]
  return signal === undefined ? `exit status ${exitCode}` : `exit status ${exitCode}, ${signal}`
}
