import { readdir, readFile } from 'node:fs/promises'
import { processMarkName } from '#lib/executors/executor.ts'

/**
 * A search takes about 10 ms for a few hundred processes; it is made at most once in this time, and only after
 * steps ended.
 */
const searchEveryMs = 1_000

/** Finds and kills processes that a step left behind outside of its process group (setsid, double fork). */
export interface Strays {
  /** The variable that marks the processes of one attempt; it must stand in their environment. */
  readonly mark: () => { readonly name: string; readonly value: string; readonly ended: () => void }
  /** `NAME=value…` as the mark of every process of this runner begins. */
  readonly prefix: string
  readonly close: () => void
}

/**
 * Marks processes by their environment, which they can leave behind only on purpose, and looks for marks of attempts
 * that have ended. Works where the system shows environments under /proc; elsewhere the process groups must do.
 * @param runner a text that no other runner on this machine has
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
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
    const at = environment.indexOf(prefix)
    if (at < 0) continue
    const number = environment.slice(at + prefix.length).split('\0', 1)[0] ?? ''
    if (living.has(number)) continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
}
