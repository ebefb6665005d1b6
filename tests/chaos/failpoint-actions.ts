/**
 * Loaded with `--import`: at the n-th time that this process comes to a failpoint, it dies, hangs longer than a lease,
 * or meets a lost connection. MILLRACE_CHAOS_FAILPOINT is `name action n id file`; the file gets the id just before.
 */
import { appendFileSync } from 'node:fs'
import { atFailpoints } from '#lib/core/failpoint.ts'

const [name = '', action = '', count = '1', id = '', file = ''] = (
  process.env['MILLRACE_CHAOS_FAILPOINT'] ?? ''
).split(' ')
const hangMs = 8_000

class Lost extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

let left = Number(count)
atFailpoints((hit) => {
  if (hit !== name || --left !== 0) return
  appendFileSync(file, `${id}\n`)
  if (action === 'crash') process.kill(process.pid, 'SIGKILL')
  // Nothing of the process continues, not even its timers: as when the machine is starved.
  else if (action === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hangMs)
  else throw new Lost('a failpoint')
})
