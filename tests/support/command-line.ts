import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { until } from './until.ts'

/** What a process has written so far, and its exit code once it has ended. */
export interface Said {
  readonly process: ChildProcess
  stdout: string
  stderr: string
  readonly code: Promise<number | null>
}

type Environment = Readonly<Record<string, string | undefined>>

const top = new URL('../..', import.meta.url).pathname

/**
 * Starts `millrace` as a process in the folder of the project. The tests of the command line start hundreds, so they
 * run the bundle and share its compiled code.
 */
export function begin(args: readonly string[], environment: Environment = {}, input = ''): Said {
  const env = { NODE_COMPILE_CACHE: process.env['TESTS_COMPILED_CODE'], ...process.env, ...environment }
  const child = spawn(process.execPath, ['local/bundled.mjs', 'millrace', ...args], {
    cwd: top,
    env,
    stdio: 'pipe',
  })
  const code = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  const said: Said = { process: child, stdout: '', stderr: '', code }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  child.stdin.on('error', () => {}).end(input)
  return said
}

/** Runs a command to its end. */
export async function millrace(
  args: readonly string[],
  environment: Environment = {},
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const said = begin(args, environment, input)
  const code = await said.code
  return { code, stdout: said.stdout, stderr: said.stderr }
}

/** Parses output with `--json`, which has one document per line. */
export function documents<Row>(stdout: string): Row[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

/** Starts a part that listens, and waits for its URL. */
export async function serve(
  args: readonly string[],
  environment: Environment,
): Promise<Said & { url: string }> {
  const said = begin(args, environment)
  const url = await until('the service says where it listens', () => {
    return /listens on (http:\S+)/.exec(said.stderr)?.[1]
  })
  return Object.assign(said, { url })
}
