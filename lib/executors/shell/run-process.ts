import { spawn, type ChildProcess } from 'node:child_process'
import type { StepContext } from '../executor.ts'
import { handOver } from '../hand-over.ts'
import { watchOutput } from '../output-watch.ts'
import { isGroupAlive, signalGroup, signalNamed } from './process-group.ts'

/** How a process ended: by itself with a code, by a signal, or it could not be started. */
export type ProcessEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly how: 'not-started'; readonly error: NodeJS.ErrnoException }

/** What is left of the group when its main process has ended may finish its output for so long, milliseconds. */
const drainMs = 1_000

export type ProcessContext = Pick<
  StepContext,
  'env' | 'workingDir' | 'stdout' | 'stderr' | 'signal' | 'cleanUpMs' | 'onProcessGroup'
> & { readonly stopSignal: string }

/**
 * Runs one process in a group of its own and waits until the group is gone and its output is handed over. Bounded: what
 * stays behind after the main process has ended, or ignores the signal after a stop, is killed.
 */
export async function runProcess(argv: readonly string[], context: ProcessContext): Promise<ProcessEnd> {
  if (context.signal.aborted) return { how: 'signalled', signal: 'SIGTERM' }
  const [file = '', ...args] = argv
  let child: ChildProcess
  try {
    child = spawn(file, args, {
      cwd: context.workingDir,
      env: context.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    })
  } catch (error) {
    return { how: 'not-started', error: error as NodeJS.ErrnoException }
  }
  const pgid = child.pid
  if (pgid === undefined) return { how: 'not-started', error: await startError(child) }
  context.onProcessGroup({ pgid, alive: true })
  try {
    return await supervise(child, pgid, context)
  } finally {
    context.onProcessGroup({ pgid, alive: false })
  }
}

function startError(child: ChildProcess): Promise<NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    child.once('error', resolve)
  })
}

async function supervise(child: ChildProcess, pgid: number, context: ProcessContext): Promise<ProcessEnd> {
  let writeFailure: unknown
  const onWriteFailure = (error: unknown): void => {
    writeFailure ??= error
    signalGroup(pgid, 'SIGKILL')
  }
  const output = watchOutput()
  const handedOver = Promise.all([
    handOver(child.stdout, output.watch(context.stdout), onWriteFailure),
    handOver(child.stderr, output.watch(context.stderr), onWriteFailure),
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
  context.signal.addEventListener('abort', stop, { once: true })
  try {
    const end = await ended(child)
    later(drainMs, () => signalGroup(pgid, 'SIGTERM'))
    const killed = new Promise<void>((resolve) => {
      later(drainMs + context.cleanUpMs, () => {
        kill()
        resolve()
      })
    })
    await Promise.race([handedOver, killed])
    await output.closeInSilence(() => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    }, handedOver)
    await groupGone(pgid)
    if (writeFailure !== undefined) throw writeFailure
    return end
  } finally {
    context.signal.removeEventListener('abort', stop)
    for (const timer of timers) clearTimeout(timer)
  }
}

function ended(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { how: 'exited', code: code ?? 0 } : { how: 'signalled', signal })
    })
  })
}

/** Waits for the rest of the group to end by itself for a moment, then kills it. */
async function groupGone(pgid: number): Promise<void> {
  for (let waited = 0, pause = 10; isGroupAlive(pgid); waited += pause, pause *= 2) {
    if (waited >= drainMs) return signalGroup(pgid, 'SIGKILL')
    await new Promise((resolve) => {
      setTimeout(resolve, pause)
    })
  }
}
