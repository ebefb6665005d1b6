import { spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('watchdog.sh', import.meta.url))

/** Our end of the pipe that tells the watchdog that the server is in use; the kernel closes it when we end. */
export interface Hold {
  release(): void
}

/**
 * Takes hold of the pipe `alive` of a cluster, and starts its watchdog (watchdog.sh) when none reads it.
 * Must be held before a server is started, so that none is left behind whenever we are killed.
 * @param options.remove whether the watchdog removes the folder at the end
 */
export async function takeHold(folder: string, options: { readonly remove: boolean }): Promise<Hold> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const descriptor = openPipe(folder)
    if (descriptor !== undefined) return { release: () => closeSync(descriptor) }
    if (attempt % 100 === 0) startWatchdog(folder, options)
    await sleep(10)
  }
  throw new Error(`the watchdog of ${folder} does not start`)
}

/** Says whether a watchdog waits on the pipe: somebody uses the server. */
export function isHeld(folder: string): boolean {
  const descriptor = openPipe(folder)
  if (descriptor !== undefined) closeSync(descriptor)
  return descriptor !== undefined
}

function openPipe(folder: string): number | undefined {
  try {
    return openSync(join(folder, 'alive'), constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENXIO') return undefined
    throw error
  }
}

function startWatchdog(folder: string, options: { readonly remove: boolean }): void {
  const args = [script, folder, ...(options.remove ? ['remove'] : [])]
  spawn('/bin/sh', args, { stdio: 'ignore', detached: true, env: { PATH: process.env['PATH'] } }).unref()
}
