import { Socket } from 'node:net'
import { constants } from 'node:os'
import { asStepCommand } from '#lib/privileges/step-command.ts'
import { startAsStepUser } from '#lib/privileges/step-identity.ts'
import { findProgram } from './find-program.ts'
import type { ProcessStart, StartedProcess } from './started-process.ts'
import { loadSystemCalls } from './system-calls.ts'

const calls = loadSystemCalls()

/** Whether {@link posixSpawn} can start anything. */
export const hasPosixSpawn = (): boolean => calls !== undefined

/**
 * Starts a process by `posix_spawn(3)`. It does not copy the page tables of this process, so it takes a fraction of the
 * time of a fork, whatever memory this process has. Undefined when the system has no such call, or it fails.
 */
export function posixSpawn(start: ProcessStart): StartedProcess | undefined {
  if (calls === undefined) return undefined
  const [name = ''] = start.argv
  const file = findProgram(name, start.env['PATH'])
  const words = [...start.argv, start.workingDir, ...Object.entries(start.env).flat()]
  if (file === undefined || words.some((word) => word.includes('\0'))) return undefined
  const stdout = calls.pipe()
  const stderr = stdout && calls.pipe()
  if (stdout === undefined) return undefined
  if (stderr === undefined) {
    calls.close(stdout.read, stdout.write)
    return undefined
  }
  const pipes = { stdout: stdout.write, stderr: stderr.write }
  const command = asStepCommand(start)
  const isOwn = command.argv === start.argv
  const spawn = { ...start, ...pipes, ...command, file: isOwn ? file : (command.argv[0] ?? file) }
  // The new process changes to its working directory before it becomes the step user.
  const pid = startAsStepUser(() => calls.spawn(spawn))
  calls.close(stdout.write, stderr.write)
  if (pid === undefined) {
    calls.close(stdout.read, stderr.read)
    return undefined
  }
  return { pid, stdout: reader(stdout.read), stderr: reader(stderr.read), ended: whenEnded(pid) }
}

function reader(fd: number): Socket {
  return new Socket({ fd, readable: true, writable: false })
}

type End = Awaited<StartedProcess['ended']>

const running = new Map<number, (end: End) => void>()
let poll: NodeJS.Timeout | undefined
/**
 * SIGCHLD reports an end at once. This interval catches a lost one, and keeps this process alive meanwhile.
 * Milliseconds.
 */
const lookEveryMs = 1_000

if (calls !== undefined) process.on('SIGCHLD', collect)

function whenEnded(pid: number): Promise<End> {
  poll ??= setInterval(collect, lookEveryMs)
  return new Promise((resolve) => {
    running.set(pid, resolve)
  })
}

/** Only children started here are polled, because Node reaps its own. */
function collect(): void {
  for (const [pid, onEnd] of running) {
    const status = calls?.statusOf(pid)
    if (status === undefined) continue
    running.delete(pid)
    onEnd(endOf(status))
  }
  if (running.size > 0) return
  clearInterval(poll)
  poll = undefined
}

/** Decodes a status of wait(2). */
function endOf(status: number): End {
  const number = status & 0x7f
  if (number === 0) return { how: 'exited', code: (status >> 8) & 0xff }
  const named = Object.entries(constants.signals).find(([, value]) => value === number)
  return { how: 'signalled', signal: (named?.[0] ?? 'SIGKILL') as NodeJS.Signals }
}
