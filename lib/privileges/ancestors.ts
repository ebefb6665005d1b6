import { readdirSync, readFileSync, statSync } from 'node:fs'
import { overwriteValues, shownVariables } from './environment-block.ts'

/** A process whose environment in `/proc` shows secret settings to every process of the same user. */
export interface Exposure {
  readonly pid: number
  /** Name of the program. */
  readonly program: string
  readonly settings: readonly string[]
}

/**
 * Overwrites values in the environment that npm and its shell show in `/proc`: with `npm start`, both wait for the
 * service and no longer need them. Other ancestors are left alone, because they may need their variables. Where the
 * system forbids it (Yama), the values stay, and {@link findExposures} reports them.
 * @param isHidden decides by the name of the variable; variables that npm reads are kept
 */
export function hideFromLaunchers(isHidden: (name: string) => boolean): void {
  for (const pid of ancestors()) {
    const isScript = wordsOf(pid).some((word) => word.includes('local/with-node.mjs'))
    if (!isScript && !isNpm(pid)) return
    try {
      overwriteValues(pid, (name) => isHidden(name) && !/^(npm_|NODE_|CI$)|_proxy$/i.test(name))
    } catch {
      return
    }
    if (!isScript) return
  }
}

/**
 * Finds processes of this user whose environment shows these settings with these values.
 * @param among the ancestors of this process, or all processes that are not
 */
export function findExposures(
  settings: Readonly<Record<string, string>>,
  among: 'ancestors' | 'others',
): Exposure[] {
  if (process.platform !== 'linux') return []
  return (among === 'ancestors' ? ancestors() : others()).filter(isOurs).flatMap((pid) => {
    const shown = shownVariables(pid)
    const names = Object.keys(settings).filter((name) => shown.get(name) === settings[name])
    return names.length === 0 ? [] : [{ pid, program: programOf(pid), settings: names }]
  })
}

function ancestors(): number[] {
  const found: number[] = []
  for (let pid = process.ppid; pid > 0; pid = parentOf(pid)) found.push(pid)
  return found
}

function others(): number[] {
  const own = new Set([process.pid, ...ancestors()])
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && !own.has(pid))
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

function isOurs(pid: number): boolean {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

function isNpm(pid: number): boolean {
  const [program = '', script = ''] = wordsOf(pid)
  return /^(npm|npx|pnpm|yarn)\b/.test(program) || /\b(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?$/.test(script)
}

function programOf(pid: number): string {
  const [program = ''] = wordsOf(pid)
  return program.split('/').at(-1)?.split(' ')[0] || '?'
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
