// Loaded by `node --import`: on SIGUSR2, every thread of the pool of this process waits forever for the other end of a
// FIFO, and the file HANG_POOL.done is created.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

if (process.argv.includes('runner')) {
  process.on('SIGUSR2', () => {
    // Read late: the server passes most of its environment through a pipe.
    const fifo = process.env.HANG_POOL
    if (!existsSync(fifo)) execFileSync('mkfifo', [fifo])
    for (let thread = 0; thread < 8; thread++) open(fifo, 'w').catch(() => {})
    writeFileSync(`${fifo}.done`, '')
  })
}
