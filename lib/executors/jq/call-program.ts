import { execFile } from 'node:child_process'
import { limits } from '#lib/core/limits.ts'
import { stepUserPrefix } from '#lib/privileges/step-identity.ts'
import type { JqAnswer, JqCall } from './call-built-in.ts'

/**
 * Runs the jq program of the deployment, with an empty environment.
 * @throws Error when it cannot be started, writes or takes too much, or the signal is aborted
 */
export function callProgram(
  path: string,
  { input, filter, flags }: JqCall,
  signal: AbortSignal,
): Promise<JqAnswer> {
  const options = {
    env: {},
    signal,
    timeout: limits.jqMsMax,
    killSignal: 'SIGKILL',
    maxBuffer: limits.jqMemoryBytesMax,
  } as const
  return new Promise((resolve, reject) => {
    // In every version, the leading blank keeps a filter that begins with a dash from being read as an option.
    const words = [...stepUserPrefix(), path, ...flags, ` ${filter}`]
    const child = execFile(words[0] ?? path, words.slice(1), options, (error, output, stderr) => {
      if (error === null || typeof error.code === 'number') {
        resolve({ output, error: stderr.trim(), exitCode: Number(error?.code ?? 0) })
      } else reject(error)
    })
    child.stdin?.on('error', () => undefined).end(input) // a filter may end before it has read all
  })
}
