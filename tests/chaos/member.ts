import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'

export type Part = 'api' | 'tick' | 'runner'

export interface MemberOptions {
  readonly part: Part
  readonly name: string
  readonly databaseUrl: string
  readonly environment: Readonly<Record<string, string>>
  /** The error of its clock, milliseconds. */
  readonly clockMs?: number
}

const top = new URL('../..', import.meta.url).pathname
const faulty = /uncaught|unhandled|TypeError|ReferenceError|UNSAFE_TRANSACTION/i

/** One process of the service that is killed and restarted. Every life of it has its own name. */
export class Member {
  readonly options: MemberOptions
  /** Descriptions of what it should not have done. */
  readonly faults: string[] = []
  /** Process ids by the names of its lives: the system reuses ids. */
  readonly lives = new Map<string, number>()
  life = ''
  url: string | undefined
  isStopped = false
  #child: ChildProcess | undefined
  #count = 0
  #expectsEnd = false
  #failpoint: string | undefined
  #mayCrash = false

  constructor(options: MemberOptions) {
    this.options = options
  }

  get isArmed(): boolean {
    return this.#failpoint !== undefined
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  start(): void {
    const { part, name, databaseUrl, environment, clockMs } = this.options
    this.life = `${name}.${++this.#count}`
    this.url = undefined
    this.isStopped = false
    this.#expectsEnd = false
    // Names every connection after the life, so that the database knows who writes, even behind a pooler.
    const url = `${databaseUrl}?application_name=${this.life}`
    const wrong = clockMs === undefined ? [] : ['--import', `${top}tests/chaos/wrong-clock.ts`]
    const failpoint = this.#failpoint
    // Users run the bundle, but only the sources contain failpoints.
    const program =
      failpoint === undefined
        ? ['local/bundled.mjs', part]
        : ['--import', `${top}tests/chaos/failpoint-actions.ts`, `local/${part}.ts`]
    const child = spawn(process.execPath, [...wrong, ...program, ...(part === 'tick' ? ['--watch'] : [])], {
      cwd: top,
      env: {
        ...process.env,
        ...environment,
        DATABASE_URL: url,
        DAG_CHAOS_LIFE: this.life,
        ...(failpoint !== undefined && { MILLRACE_CHAOS_FAILPOINT: failpoint }),
        ...(clockMs !== undefined && { MILLRACE_CHAOS_CLOCK_MS: String(clockMs) }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.lives.set(this.life, child.pid ?? 0)
    const { life } = this
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        if (this.#child !== child) return
        this.url ??= /listens on (http:\S+)/.exec(line)?.[1]
        if (faulty.test(line)) this.faults.push(`${life} said: ${line.slice(0, 400)}`)
      })
    }
    child.once('exit', (code, signal) => {
      if (this.#child !== child || this.#expectsEnd) return
      const isMeant = this.#mayCrash && signal === 'SIGKILL'
      if (!isMeant) this.faults.push(`${life} ended by itself with ${code ?? signal}`)
      this.#mayCrash = false
      this.#failpoint = undefined
      this.start()
    })
  }

  /** Kills the process with SIGKILL and restarts it at once. */
  async kill(): Promise<void> {
    await this.end('SIGKILL')
    this.start()
  }

  /** Restarts the process with a failpoint (see failpoint-actions.ts), or without. */
  async arm(failpoint: string | undefined, mayCrash: boolean): Promise<void> {
    await this.end('SIGKILL')
    this.#failpoint = failpoint
    this.#mayCrash = mayCrash
    this.start()
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    this.#expectsEnd = true
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  pause(): void {
    this.isStopped = true
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
    this.isStopped = false
  }
}

/** Processes whose environment contains a text, except for zombies and the given one. */
export function processesWith(text: string, except = 0): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      if (pid === except || pid === process.pid) return false
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text)
      } catch {
        return false
      }
    })
}

/** The command line of a process; empty if it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}
