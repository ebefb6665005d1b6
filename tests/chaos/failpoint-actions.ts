/**
 * Loaded with `--import`: when this process reaches a failpoint for the n-th time, it dies, hangs longer than a lease,
 * or loses a connection. MILLRACE_CHAOS_FAILPOINT is `name action n id file`; the id is first appended to the file.
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
  // Stops the whole process, including timers, as on a starved machine.
  else if (action === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hangMs)
  else throw new Lost('a failpoint')
})
