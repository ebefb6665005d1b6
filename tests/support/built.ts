import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const top = new URL('../..', import.meta.url).pathname

/** Builds the deployed bundles into a folder of their own, next to an empty folder to start them from. */
export function buildBundles(...parts: readonly string[]): { readonly dist: string; readonly empty: string } {
  const folder = temporaryFolder('millrace-built')
  const dist = join(folder, 'dist')
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  execFileSync(process.execPath, ['infra/build.ts', '--to', dist, ...parts], { cwd: top, stdio: 'pipe' })
  return { dist, empty }
}

/** A process of a bundle. */
export interface Running {
  readonly pid: number
  /** What it has written so far to both streams. */
  readonly output: () => string
  /** The first group of the first matching line, past or future. @throws Error if the process ends before */
  readonly says: (pattern: RegExp) => Promise<string>
  readonly exit: Promise<number | null>
  /** Sends SIGTERM. @returns the exit code */
  readonly stop: () => Promise<number | null>
  readonly kill: () => Promise<number | null>
}

/** Starts a bundle with these settings and no others; it is killed at the end of the test if it still runs. */
export function startBundle(
  file: string,
  settings: Readonly<Record<string, string>>,
  { args = [], cwd }: { readonly args?: readonly string[]; readonly cwd: string },
): Running {
  const env = { PATH: process.env['PATH'], HOME: cwd, TMPDIR: tmpdir(), ...settings }
  const child = spawn(process.execPath, [file, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const closed = [child.stdout, child.stderr].map((stream) => {
    const reader = createInterface(stream).on('line', (line) => {
      lines.push(line)
      for (const look of waiting) look()
    })
    return once(reader, 'close')
  })
  const exit = once(child, 'exit').then(async ([code]) => {
    await Promise.all(closed)
    return code as number | null
  })
  const end = (signal: NodeJS.Signals) => (): Promise<number | null> => {
    child.kill(signal)
    return exit
  }
  onTestFinished(async () => void (await end('SIGKILL')()))
  return {
    pid: child.pid ?? 0,
    output: () => lines.join('\n'),
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null)
          if (found !== undefined) resolve(found[1] ?? '')
        }
        waiting.add(look)
        look()
        void exit.then((code) => reject(new Error(`${file} ended with ${code}:\n${lines.join('\n')}`)))
      }),
    exit,
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
  }
}
