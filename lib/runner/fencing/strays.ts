import { readFileSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { processMarkName } from '#lib/executors/executor.ts'
import { asStepUser, stepUser } from '#lib/privileges/step-identity.ts'

/**
 * Minimum time between two searches, milliseconds. A search takes about 10 ms for a few hundred processes, and happens
 * only after steps ended.
 */
const searchEveryMs = 1_000

/** Finds and kills processes that left the process group of their step (setsid, double fork). */
export interface Strays {
  /** Creates a mark for the processes of one attempt: a variable that must be in their environment. */
  readonly mark: () => { readonly name: string; readonly value: string; readonly ended: () => void }
  /** How the marks of this runner begin, as `NAME=value…`. */
  readonly prefix: string
  readonly close: () => void
}

/**
 * Marks processes by an environment variable, which they can drop only on purpose, and searches for marks of attempts
 * that have ended. Needs /proc; elsewhere only process groups are killed.
 * @param runner a text that is unique among the runners of this machine
 */
export function trackStrays(runner: string): Strays {
  const prefix = `${processMarkName}=${runner}.`
  const living = new Set<string>()
  let count = 0
  let timer: NodeJS.Timeout | undefined
  const search = async (): Promise<void> => {
    await killEnded(prefix, living)
  }
  const searchSoon = (): void => {
    if (process.platform !== 'linux') return
    timer ??= setTimeout(() => {
      timer = undefined
      void search()
    }, searchEveryMs)
  }
  return {
    prefix,
    mark: () => {
      const number = String(++count)
      living.add(number)
      return {
        name: processMarkName,
        value: `${runner}.${number}`,
        ended: () => {
          living.delete(number)
          searchSoon()
        },
      }
    },
    close: () => clearTimeout(timer),
  }
}

async function killEnded(prefix: string, living: ReadonlySet<string>): Promise<void> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of processes) {
    const environment = await environmentOf(pid)
    const at = environment.indexOf(prefix)
    if (at < 0) continue
    const number = environment.slice(at + prefix.length).split('\0', 1)[0] ?? ''
    if (living.has(number)) continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // the process has ended by itself
    }
  }
}

/** Only the user of a process may see its environment, so that of a step is read by the rights of its user. */
async function environmentOf(pid: string): Promise<string> {
  const user = stepUser()
  const file = `/proc/${pid}/environ`
  if (user === undefined) return readFile(file, 'latin1').catch(() => '')
  // Reading is synchronous then: others get their turn between two processes.
  await nextTurn()
  if (statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== user.uid) return ''
  try {
    return asStepUser(() => readFileSync(file, 'latin1'))
  } catch {
    return ''
  }
}
