import { randomBytes } from 'node:crypto'
import type { Client, ClientChannel } from 'ssh2'
import type { SshConfig } from '#lib/definition/executor-config/ssh.ts'
import type { Executor, OutputSink, StepContext, StepOutcome } from '../executor.ts'
import { handOver } from '../hand-over.ts'
import { keepTail } from '../shell/stderr-tail.ts'
import { connect } from './connect.ts'
import { bootstrapLine, remoteProgram } from './remote-program.ts'
import { readFirstLine } from './first-line.ts'

/** Runs a command or a script on another machine (spec/behaviour.md 3.3). A stop ends it there, not only here. */
export const sshExecutor: Executor = { type: 'ssh', run: runRemote }

/** A process in the background that holds the output is waited for so long after the end of the program. */
const drainMs = 1_000

async function runRemote(context: StepContext): Promise<StepOutcome> {
  const config = context.config as SshConfig
  let client: Client | undefined
  try {
    client = await connect(config, context.signal)
    return await runOn(client, config, context)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { exitCode: 255, error: context.signal.aborted ? 'the remote command was stopped' : why }
  } finally {
    client?.end()
  }
}

interface RemoteEnd {
  readonly code: number | undefined
  /** Without SIG. */
  readonly signal: string | undefined
}

async function runOn(client: Client, config: SshConfig, context: StepContext): Promise<StepOutcome> {
  const mark = randomBytes(12).toString('hex')
  const channel = await open(client, bootstrapLine(mark))
  const tail = keepTail(context.stderr)
  const { sink, group } = readFirstLine(mark, context.stdout)
  const stop = (): void => void stopRemote(client, group, context).catch(() => client.destroy())
  context.signal.addEventListener('abort', stop, { once: true })
  if (context.signal.aborted) stop()
  try {
    const end = await transfer(client, channel, {
      program: remoteProgram({ ...context, shell: config.shell }, mark),
      stdout: sink,
      stderr: tail.sink,
    })
    return outcomeOf(end, tail.text())
  } finally {
    context.signal.removeEventListener('abort', stop)
  }
}

function open(client: Client, line: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(line, (error, channel) => (error === undefined ? resolve(channel) : reject(error)))
  })
}

/** Sends the program and hands over what it writes, until it has ended and its output is drained. */
async function transfer(
  client: Client,
  channel: ClientChannel,
  { program, stdout, stderr }: { program: string; stdout: OutputSink; stderr: OutputSink },
): Promise<RemoteEnd> {
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
    client.destroy()
  }
  const handedOver = Promise.all([handOver(channel, stdout, fail), handOver(channel.stderr, stderr, fail)])
  const end = new Promise<RemoteEnd>((resolve, reject) => {
    channel.once('exit', (code: number | null, signal?: string) => {
      setTimeout(() => channel.close(), drainMs).unref()
      resolve({ code: code ?? undefined, signal })
    })
    channel.once('close', () =>
      reject(new Error('the connection was lost before the remote command had ended')),
    )
  })
  channel.end(program)
  const [ended] = await Promise.all([end, handedOver]).catch((error: unknown) => {
    throw failure ?? error
  })
  if (failure !== undefined) throw failure
  return ended
}

/** Tells the process group over there to end, and kills it after the time to clean up. */
async function stopRemote(client: Client, group: Promise<number>, context: StepContext): Promise<void> {
  const name = context.step.signalOnStop.replace(/^SIG/, '')
  const isGone = context.signal.reason === 'lease_lost'
  try {
    const pgid = await within(context.cleanUpMs, group)
    const wait = Math.ceil(context.cleanUpMs / 100)
    const lines = [
      `kill -s ${isGone ? 'KILL' : name} -- -${pgid} 2>/dev/null`,
      `left=${wait}`,
      `while [ $left -gt 0 ] && kill -s 0 -- -${pgid} 2>/dev/null; do sleep 0.1; left=$((left - 1)); done`,
      `kill -s KILL -- -${pgid} 2>/dev/null`,
    ]
    const channel = await open(client, `exec sh -c '${lines.join('; ')}'`)
    channel.resume()
    channel.stderr.resume()
    await new Promise((resolve) => channel.once('close', resolve))
  } finally {
    client.end()
  }
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the remote command did not start')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function outcomeOf({ code, signal }: RemoteEnd, stderr: string): StepOutcome {
  if (code === 0) return { exitCode: 0, error: '' }
  const tail = stderr === '' ? '' : `\nrecent stderr (tail):\n${stderr}`
  if (code !== undefined) return { exitCode: code, error: `exit status ${code}${tail}` }
  return { exitCode: 128, error: `signal: ${(signal ?? 'unknown').toLowerCase()}${tail}` }
}
