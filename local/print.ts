import { limits } from '#lib/core/limits.ts'
import { standardError, standardOutput } from '#lib/telemetry/line-writer.ts'

/** Prints a line on standard error, without waiting for its reader. */
export function printError(text: string): void {
  standardError.write(`${text}\n`)
}

/** Prints a line on standard output, without waiting for its reader. */
export function print(text: string): void {
  standardOutput.write(`${text}\n`)
}

/** Flushes everything printed and logged; gives up after `limits.lastLinesMsMax` when nobody reads it. */
export async function lastLines(): Promise<void> {
  await Promise.all([standardOutput, standardError].map((writer) => writer.flush(limits.lastLinesMsMax)))
}
