import { createWriteStream, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '#lib/logs/make-folder.ts'
import type { OutputSink } from '#lib/executors/executor.ts'
import { inTurns } from '#lib/executors/in-turns.ts'
import { outputMatches } from '#lib/definition/values/output-matcher.ts'
import type { LogWriter } from '#lib/logs/log-writer.ts'

/** Destinations of the output of one attempt. */
export interface OutputPlan {
  readonly stdoutLog: LogWriter
  /** The writer of standard output itself, when the streams are merged. */
  readonly stderrLog: LogWriter
  /** Files to which the step redirects its output, absolute paths. */
  readonly stdoutFile: string | undefined
  readonly stderrFile: string | undefined
  /** Maximum number of bytes of standard output to capture; undefined: none are captured. */
  readonly captureMax: number | undefined
  /** Texts and `re:` patterns to find in standard output. */
  readonly patterns: readonly string[]
}

export interface StepOutput {
  readonly stdout: OutputSink
  readonly stderr: OutputSink
  /** Settles when all output is durable. */
  readonly end: () => Promise<{
    /** Standard output without surrounding white space; undefined when nothing was to be captured. */
    readonly captured: string | undefined
    readonly isTooLarge: boolean
    readonly matched: boolean
  }>
}

/** Opens files and logs for one attempt. Files are appended to, so retries and repetitions keep earlier output. */
export function openStepOutput(plan: OutputPlan): StepOutput {
  const files = openFiles([plan.stdoutFile, plan.stderrFile])
  const capture = plan.captureMax === undefined ? undefined : keepOutput(plan.captureMax)
  const matcher = plan.patterns.length === 0 ? undefined : outputMatches(plan.patterns)
  const send = (
    log: LogWriter,
    file: WriteStream | undefined,
    bytes: Uint8Array,
  ): Promise<void> | undefined => {
    const logged = log.write(bytes)
    if (file === undefined) return logged
    return Promise.all([logged, writeTo(file, bytes)]).then(() => undefined)
  }
  return {
    stdout: (bytes) => {
      capture?.push(bytes)
      const matched = matcher === undefined ? undefined : inTurns(matcher.push(bytes))
      const sent = send(plan.stdoutLog, files.get(plan.stdoutFile), bytes)
      return matched === undefined ? sent : Promise.all([matched, sent]).then(() => undefined)
    },
    stderr: (bytes) => send(plan.stderrLog, files.get(plan.stderrFile), bytes),
    end: async () => {
      const writers = new Set([plan.stdoutLog, plan.stderrLog])
      await Promise.all([...[...writers].map((log) => log.close()), ...[...files.values()].map(closeFile)])
      const result = capture?.end()
      return {
        captured: result?.text,
        isTooLarge: result?.isTooLarge ?? false,
        matched: matcher === undefined ? false : await inTurns(matcher.end()),
      }
    },
  }
}

interface Capture {
  readonly push: (bytes: Uint8Array) => void
  readonly end: () => { text: string; isTooLarge: boolean }
}

function keepOutput(bytesMax: number): Capture {
  let pieces: Uint8Array[] = []
  let size = 0
  return {
    push: (bytes) => {
      size += bytes.length
      if (size > bytesMax) pieces = []
      else pieces.push(Uint8Array.from(bytes))
    },
    // Neither an environment nor a table can hold a NUL.
    end: () => ({
      text: Buffer.concat(pieces).toString('utf8').replaceAll('\0', '').trim(),
      isTooLarge: size > bytesMax,
    }),
  }
}

function openFiles(paths: readonly (string | undefined)[]): Map<string | undefined, WriteStream> {
  const files = new Map<string | undefined, WriteStream>()
  for (const path of paths) {
    if (path === undefined || files.has(path)) continue
    makeFolder(dirname(path))
    const file = createWriteStream(path, { flags: 'a' })
    // Ignored here: the next write or the close fails with the same error.
    file.on('error', () => undefined)
    files.set(path, file)
  }
  return files
}

function writeTo(file: WriteStream, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    file.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

function closeFile(file: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    if (file.errored !== null) return reject(file.errored)
    file.end((error?: Error | null) => (error ? reject(error) : resolve()))
  })
}
