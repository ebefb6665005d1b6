import type { Client, ClientChannel } from 'ssh2'
import type { OutputSink, StepContext } from '../executor.ts'
import { pipeOutput } from '../pipe-output.ts'
import { watchOutput } from '../output-watch.ts'
import { signalNamed } from '../shell/process-group.ts'
import { reasonOf } from './connect.ts'
import { awaitStart, type Start } from './first-line.ts'

/** How a remote command line ended: with an exit code, or by a signal (name without SIG). */
export interface RemoteEnd {
  readonly code: number | undefined
  readonly signal: string | undefined
  /** False: the output is not from our program, which never began. */
  readonly hasStarted: boolean
}

/** Maximum time until the remote side answers a kill, milliseconds; then it counts as gone. */
const answerWithinMs = 5_000
const lost = 'the connection was lost before the remote command had ended'

/** Opens a channel for a command line. A stop does not wait for the answer. */
export function openChannel(client: Client, line: string, signal: AbortSignal): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    client.exec(line, (error, channel) => {
      signal.removeEventListener('abort', stop)
      if (error === undefined) resolve(channel)
      else reject(error)
    })
  })
}

interface Transfer {
  readonly program: string
  readonly mark: string
  readonly context: StepContext
  readonly stderr: OutputSink
}

/**
 * Sends the program and passes on its output until it has ended. The input of the channel stays open meanwhile: a stop
 * is sent through it, and its end shows the remote side that we are gone.
 * @throws Error when the connection is lost, or a sink fails
 */
export async function transfer(
  client: Client,
  channel: ClientChannel,
  { program, mark, context, stderr }: Transfer,
): Promise<RemoteEnd> {
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
    client.destroy()
  }
  const lose = (error: Error): void => fail(new Error(`${lost}: ${reasonOf(error)}`))
  client.on('error', lose)
  const output = watchOutput()
  const start = awaitStart(mark, context.stdout)
  const ended = whenEnded(channel)
  const drained = Promise.all([
    pipeOutput(channel, output.watch(start.sink), fail),
    pipeOutput(channel.stderr, output.watch(stderr), fail),
  ])
  const stopping = stopThrough(client, channel, context, start)
  try {
    channel.write(program)
    const end = await ended
    await output.closeInSilence(() => channel.close(), drained)
    if (failure !== undefined) throw failure
    return { ...end, hasStarted: start.isSeen() }
  } catch (error) {
    failure ??= error
    throw failure
  } finally {
    await drained
    await start.flush()
    stopping.clear()
    client.off('error', lose)
  }
}

function whenEnded(channel: ClientChannel): Promise<Omit<RemoteEnd, 'hasStarted'>> {
  return new Promise((resolve, reject) => {
    channel.once('exit', (code: number | null, signal?: string) => {
      resolve({ code: code ?? undefined, signal: signal?.replace(/^SIG/, '') })
    })
    channel.once('close', () => reject(new Error(lost)))
  })
}

/** When the signal is aborted, asks the program to end, kills it after the clean-up time, and then gives up on it. */
function stopThrough(
  client: Client,
  channel: ClientChannel,
  { signal, step, cleanUpMs }: StepContext,
  start: Start,
): { clear: () => void } {
  const timers = new Set<NodeJS.Timeout>()
  const later = (ms: number, act: () => void): void => void timers.add(setTimeout(act, ms))
  const send = (name: string): void => {
    if (channel.writable) channel.write(`${name}\n`)
  }
  const stop = (): void => {
    const isLost = signal.reason === 'lease_lost'
    if (!start.isSeen()) channel.end()
    else if (isLost) send('KILL')
    else send(signalNamed(step.signalOnStop).slice('SIG'.length))
    const patience = isLost ? 0 : cleanUpMs
    later(patience, () => send('KILL'))
    later(patience + answerWithinMs, () => client.destroy())
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return {
    clear: () => {
      signal.removeEventListener('abort', stop)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
