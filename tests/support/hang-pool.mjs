// Loaded by `node --import`: at SIGUSR2, every thread of the pool of this process waits forever for the other end of a
// FIFO. Then the file HANG_POOL.done exists.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

if (process.argv.includes('runner')) {
  process.on('SIGUSR2', () => {
    // Not known before: the server hands most of its environment on by a pipe.
    const fifo = process.env.HANG_POOL
    if (!existsSync(fifo)) execFileSync('mkfifo', [fifo])
    for (let thread = 0; thread < 8; thread++) open(fifo, 'w').catch(() => {})
    writeFileSync(`${fifo}.done`, '')
  })
}
