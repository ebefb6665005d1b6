import { spawn } from 'node:child_process'
import { asStepCommand } from '#lib/privileges/step-command.ts'
import { whyNoForeignFunctions } from '#lib/privileges/foreign-functions.ts'
import { startAsStepUser, stepUser } from '#lib/privileges/step-identity.ts'
import { findProgram } from './find-program.ts'
import { hasPosixSpawn, posixSpawn } from './posix-spawn.ts'
import type { ProcessStart, StartedProcess } from './started-process.ts'

/**
 * Starts a process in the cheapest way. When `posix_spawn` is not available or fails, Node starts it, which also gives
 * the proper error.
 * @throws NodeJS.ErrnoException when the process cannot be started
 */
export async function startProcess(start: ProcessStart): Promise<StartedProcess> {
  return posixSpawn(start) ?? (await nodeSpawn(start))
}

/** How this process starts others; `why` says why it is the slow way. */
export function spawnWay(): { readonly spawn: 'posix_spawn' | 'fork'; readonly why?: string } {
  const why = whyNoForeignFunctions()
  if (why === undefined && hasPosixSpawn()) return { spawn: 'posix_spawn' }
  return { spawn: 'fork', why: `posix_spawn is not used: ${why ?? 'the C library has no such call'}` }
}

/** Starts a process through Node, which forks; that takes longer the more memory this process has. */
export async function nodeSpawn(start: ProcessStart): Promise<StartedProcess> {
  const [name = ''] = start.argv
  if (stepUser() !== undefined && findProgram(name, start.env['PATH']) === undefined) {
    throw Object.assign(new Error(`spawn ${name} ENOENT`), { code: 'ENOENT' })
  }
  const { workingDir } = start
  const { argv, env } = asStepCommand(start)
  const [file = '', ...args] = argv
  const child = startAsStepUser(() =>
    spawn(file, args, {
      cwd: workingDir,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    }),
  )
  const { pid, stdout, stderr } = child
  if (pid === undefined) {
    throw await new Promise((resolve) => {
      child.once('error', resolve)
    })
  }
  const ended: StartedProcess['ended'] = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { how: 'exited', code: code ?? 0 } : { how: 'signalled', signal })
    })
  })
  return { pid, stdout, stderr, ended }
}
