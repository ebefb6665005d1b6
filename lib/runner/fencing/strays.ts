import { readFileSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { processMarkName } from '#lib/executors/executor.ts'
import { asStepUser, stepUser } from '#lib/privileges/step-identity.ts'

/**
 * Minimum time between two searches, milliseconds. A search takes about 10 ms for a few hundred processes, and runs
 * only after a step has ended.
 */
const searchEveryMs = 1_000

/** Finds and kills processes that left the process group of their step (setsid, double fork). */
export interface Strays {
  /**
   * Creates a mark for the processes of one attempt: a variable to set in their environment. Call `ended` after the
   * attempt.
   */
  readonly mark: () => { readonly name: string; readonly value: string; readonly ended: () => void }
  /** The common prefix of the marks of this runner, as `NAME=value…`. */
  readonly prefix: string
  readonly close: () => void
}

/**
 * Marks processes by an environment variable, which they lose only on purpose, and kills those whose attempt has ended.
 * Needs /proc; without it, only process groups are killed.
 * @param runner a text that is unique among the runners of this machine
 */
export function trackStrays(runner: string): Strays {
  const prefix = `${processMarkName}=${runner}.`
  const active = new Set<string>()
  let count = 0
  let timer: NodeJS.Timeout | undefined
  const searchSoon = (): void => {
    if (process.platform !== 'linux') return
    timer ??= setTimeout(() => {
      timer = undefined
      void killEnded(prefix, active)
    }, searchEveryMs)
  }
  return {
    prefix,
    mark: () => {
      const number = String(++count)
      active.add(number)
      return {
        name: processMarkName,
        value: `${runner}.${number}`,
        ended: () => {
          active.delete(number)
          searchSoon()
        },
      }
    },
    close: () => clearTimeout(timer),
  }
}

async function killEnded(prefix: string, active: ReadonlySet<string>): Promise<void> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of processes) {
    const environment = await environmentOf(pid)
    const at = environment.indexOf(prefix)
    if (at < 0) continue
    const number = environment.slice(at + prefix.length).split('\0', 1)[0] ?? ''
    if (active.has(number)) continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

/** Only its own user may read the environment of a process, so it is read as the step user. */
async function environmentOf(pid: string): Promise<string> {
  const user = stepUser()
  const file = `/proc/${pid}/environ`
  if (user === undefined) return readFile(file, 'latin1').catch(() => '')
  // Reading as another user is synchronous, so yield to the event loop between two processes.
  await nextTurn()
  if (statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== user.uid) return ''
  try {
    return asStepUser(() => readFileSync(file, 'latin1'))
  } catch {
    return ''
  }
}
