import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants

const script = fileURLToPath(new URL('watchdog.sh', import.meta.url))

/** Our end of the pipe that tells the watchdog that the server is in use; the kernel closes it when we end. */
export interface Hold {
  release(): void
}

/**
 * Takes hold of the pipe `alive` of a cluster, and starts its watchdog (watchdog.sh) when nothing reads the pipe.
 * Must be held before a server is started, so that none is left behind whenever we are killed.
 * @param options.remove whether the watchdog removes the folder at the end
 */
export function takeHold(folder: string, options: { readonly remove: boolean }): Hold {
  const descriptor = openPipe(folder) ?? startWatchdog(folder, options)
  return { release: () => fs.closeSync(descriptor) }
}

/** Says whether a watchdog waits on the pipe: somebody uses the server. */
export function isHeld(folder: string): boolean {
  const descriptor = openPipe(folder)
  if (descriptor !== undefined) fs.closeSync(descriptor)
  return descriptor !== undefined
}

function openPipe(folder: string): number | undefined {
  try {
    return fs.openSync(join(folder, 'alive'), O_WRONLY | O_NONBLOCK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENXIO') return undefined
    throw error
  }
}

/** Opening a pipe waits for its other side; the first, non-blocking end is there so that nothing here waits. */
function startWatchdog(folder: string, options: { readonly remove: boolean }): number {
  const pipe = join(folder, 'alive')
  if (!fs.existsSync(pipe)) spawnSync('mkfifo', ['-m', '600', pipe])
  const reader = fs.openSync(pipe, O_RDONLY | O_NONBLOCK)
  const writer = fs.openSync(pipe, O_WRONLY)
  const input = fs.openSync(pipe, O_RDONLY)
  const args = [script, folder, ...(options.remove ? ['remove'] : [])]
  const env = { PATH: process.env['PATH'] }
  spawn('/bin/sh', args, { stdio: [input, 'ignore', 'ignore'], detached: true, env }).unref()
  fs.closeSync(reader)
  fs.closeSync(input)
  return writer
}
