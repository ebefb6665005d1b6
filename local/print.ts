import { limits } from '#lib/core/limits.ts'
import { standardError, standardOutput } from '#lib/telemetry/line-writer.ts'

/** Prints a line on standard error. Never waits for whoever reads it. */
export function printError(text: string): void {
  standardError.write(`${text}\n`)
}

/** Prints a line on standard output. Never waits for whoever reads it. */
export function print(text: string): void {
  standardOutput.write(`${text}\n`)
}

/** Settles when everything is printed and logged; soon, also when nobody reads it. */
export async function lastLines(): Promise<void> {
  await Promise.all([standardOutput, standardError].map((writer) => writer.flush(limits.lastLinesMsMax)))
}
