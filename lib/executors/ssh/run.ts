import { randomBytes } from 'node:crypto'
import type { Client } from 'ssh2'
import { messageOf } from '#lib/core/errors.ts'
import type { SshConfig } from '#lib/definition/schema/ssh.ts'
import type { Executor, StepContext, StepOutcome } from '../executor.ts'
import { keepTail, tailNote } from '../shell/stderr-tail.ts'
import { connect, disconnect } from './connect.ts'
import { remoteProgram } from './remote-program.ts'
import { openChannel, transfer, type RemoteEnd } from './transfer.ts'
import { wrapperLine } from './wrapper.ts'

/** Runs a command or a script on another machine. A stop ends it there, too. */
export const sshExecutor: Executor = { run: runRemote }

async function runRemote(context: StepContext): Promise<StepOutcome> {
  const config = context.config as SshConfig
  let client: Client | undefined
  try {
    client = await connect(config, {
      folder: context.workingDir,
      bounds: context.settings.fileBounds ?? [],
      signal: context.signal,
    })
    return await runOn(client, config, context)
  } catch (error) {
    const why = messageOf(error)
    return { exitCode: 255, error: context.signal.aborted ? 'the remote command was stopped' : why }
  } finally {
    if (client !== undefined) disconnect(client)
  }
}

async function runOn(client: Client, config: SshConfig, context: StepContext): Promise<StepOutcome> {
  const mark = randomBytes(12).toString('hex')
  const { text, needsFile } = remoteProgram({ ...context, shell: config.shell }, mark)
  const { cleanUpMs, signal } = context
  const line = wrapperLine({ mark, bytes: Buffer.byteLength(text), cleanUpMs, needsFile })
  const channel = await openChannel(client, line, signal)
  const tail = keepTail(context.stderr, context.mask?.())
  const end = await transfer(client, channel, { program: text, mark, context, stderr: tail.sink })
  if (signal.aborted && !end.hasStarted) throw new Error('stopped')
  return outcomeOf(end, tail.text())
}

function outcomeOf({ code, signal, hasStarted }: RemoteEnd, stderr: string): StepOutcome {
  if (code === 0 && hasStarted) return { exitCode: 0, error: '' }
  const tail = tailNote(stderr)
  const what = code === undefined ? `signal: ${signal ?? 'unknown'}` : `exit status ${code}`
  if (hasStarted) return { exitCode: code ?? 128, error: `${what}${tail}` }
  return { exitCode: 255, error: `the machine did not start the program (${what})${tail}` }
}
