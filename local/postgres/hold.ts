import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants

const script = fileURLToPath(new URL('watchdog.sh', import.meta.url))

/**
 * The open write end of a pipe, which signals the watchdog that the server is in use. The kernel closes it when this
 * process ends.
 */
export interface Hold {
  release(): void
}

/**
 * Opens the pipe `alive` of a cluster, and starts its watchdog (watchdog.sh) when the pipe has no reader. Call this
 * before starting a server, so that none is left behind if this process is killed.
 * @param options.remove whether the watchdog removes the folder after stopping the server
 */
export function takeHold(folder: string, options: { readonly remove: boolean }): Hold {
  const descriptor = openPipe(folder) ?? startWatchdog(folder, options)
  return { release: () => fs.closeSync(descriptor) }
}

/** Whether a watchdog reads the pipe, which means that some process uses the server. */
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

/**
 * Opening a pipe blocks until the other end is open, so a non-blocking read end is opened first.
 */
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
