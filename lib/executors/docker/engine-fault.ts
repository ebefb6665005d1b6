import { messageOf } from '#lib/core/errors.ts'
import type { Engine } from './client.ts'

/** A container error, as a sentence for the author of the step. */
export class ContainerFault extends Error {
  /** The exit status of the step. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** HTTP status of the engine's answer; undefined when there was none. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined
}

/** Describes an error in one sentence: in the engine's words, or that the engine cannot be reached. */
export function faultOf(error: unknown, { address }: Pick<Engine, 'address'>): ContainerFault {
  if (error instanceof ContainerFault) return error
  const message = messageOf(error)
  if (statusOf(error) !== undefined) {
    const said = bare(wordsOf(error) ?? message)
    return new ContainerFault(said, exitCodeOf(said))
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (
    ['ENOENT', 'ECONNREFUSED', 'EACCES', 'EPERM', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT'].includes(code)
  ) {
    return new ContainerFault(`no container engine answers at ${address}: ${message}`)
  }
  if (['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code)) {
    return new ContainerFault(`the connection to the container engine at ${address} was lost: ${message}`)
  }
  return new ContainerFault(message)
}

/** The exit codes that a shell uses for a command that does not exist, or cannot be executed. */
export function exitCodeOf(message: string): number {
  if (/executable file not found|no such file or directory/i.test(message)) return 127
  return /permission denied|exec format error/i.test(message) ? 126 : 1
}

function wordsOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('json' in error)) return undefined
  const { json } = error
  if (typeof json !== 'object' || json === null || !('message' in json)) return undefined
  return typeof json.message === 'string' ? json.message : undefined
}

/** The message on one line, without the prefix that the client adds. */
function bare(message: string): string {
  return message
    .replace(/^\(HTTP code \d+\) .*? - /s, '')
    .replace(/^.*unable to start container process: (.*?)(?:: unknown|: OCI runtime .*)?$/s, '$1')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
