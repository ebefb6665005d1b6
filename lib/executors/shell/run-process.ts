import { setTimeout as sleep } from 'node:timers/promises'
import { failpoint } from '#lib/core/failpoint.ts'
import type { StepContext } from '../executor.ts'
import { pipeOutput } from '../pipe-output.ts'
import { watchOutput } from '../output-watch.ts'
import { isGroupAlive, signalGroup, signalNamed } from './process-group.ts'
import { startProcess } from './start-process.ts'
import type { ProcessEnd, StartedProcess } from './started-process.ts'

/** How long leftover processes of the group may finish their output after the main process has ended. Milliseconds. */
const drainMs = 1_000

export type ProcessContext = Pick<
  StepContext,
  'env' | 'workingDir' | 'stdout' | 'stderr' | 'signal' | 'cleanUpMs' | 'onProcessGroup'
> & { readonly stopSignal: string }

/**
 * Runs a process in a group of its own and waits until the group has ended and its output was passed on. Bounded:
 * processes that remain after the main process has ended, or that ignore the signal of a stop, are killed.
 */
export async function runProcess(argv: readonly string[], context: ProcessContext): Promise<ProcessEnd> {
  if (context.signal.aborted) return { how: 'signalled', signal: 'SIGTERM' }
  let child: StartedProcess
  try {
    child = await startProcess({ argv, workingDir: context.workingDir, env: context.env })
  } catch (error) {
    return { how: 'not-started', error: error as NodeJS.ErrnoException }
  }
  const pgid = child.pid
  failpoint('process.started')
  context.onProcessGroup({ pgid, alive: true })
  failpoint('process.known')
  try {
    return await supervise(child, pgid, context)
  } finally {
    failpoint('process.ended')
    context.onProcessGroup({ pgid, alive: false })
  }
}

async function supervise(child: StartedProcess, pgid: number, context: ProcessContext): Promise<ProcessEnd> {
  let writeFailure: unknown
  const onWriteFailure = (error: unknown): void => {
    writeFailure ??= error
    signalGroup(pgid, 'SIGKILL')
  }
  const output = watchOutput()
  const handedOver = Promise.all([
    pipeOutput(child.stdout, output.watch(context.stdout), onWriteFailure),
    pipeOutput(child.stderr, output.watch(context.stderr), onWriteFailure),
  ])
  const timers = new Set<NodeJS.Timeout>()
  const later = (ms: number, act: () => void): void => {
    timers.add(setTimeout(act, ms))
  }
  const kill = (): void => signalGroup(pgid, 'SIGKILL')
  const stop = (): void => {
    if (context.signal.reason === 'lease_lost') return kill()
    signalGroup(pgid, signalNamed(context.stopSignal))
    later(context.cleanUpMs, kill)
  }
  if (context.signal.aborted) stop()
  else context.signal.addEventListener('abort', stop, { once: true })
  try {
    const end = await child.ended
    later(drainMs, () => signalGroup(pgid, 'SIGTERM'))
    const killed = new Promise<void>((resolve) => {
      later(drainMs + context.cleanUpMs, () => {
        kill()
        resolve()
      })
    })
    await Promise.race([handedOver, killed])
    await output.closeInSilence(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, handedOver)
    await groupGone(pgid)
    if (writeFailure !== undefined) throw writeFailure
    return end
  } finally {
    context.signal.removeEventListener('abort', stop)
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Gives the rest of the group a moment to end, then kills it. */
async function groupGone(pgid: number): Promise<void> {
  for (let waited = 0, pause = 10; isGroupAlive(pgid); waited += pause, pause *= 2) {
    if (waited >= drainMs) return signalGroup(pgid, 'SIGKILL')
    await sleep(pause)
  }
}
