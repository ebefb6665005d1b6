import { constants, createWriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { Writable } from 'node:stream'
import { makeFolder } from '#lib/logs/make-folder.ts'
import type { OutputSink } from '#lib/executors/executor.ts'
import { outputMatches } from '#lib/definition/values/output-matcher.ts'
import { asStepUser, openAsStepUser } from '#lib/privileges/step-identity.ts'
import type { LogWriter } from '#lib/logs/log-writer.ts'

const { O_APPEND, O_CREAT, O_WRONLY } = constants

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
  const send = (log: LogWriter, file: Writable | undefined, bytes: Uint8Array): Promise<void> | undefined => {
    const logged = log.write(bytes)
    if (file === undefined) return logged
    return Promise.all([logged, writeTo(file, bytes)]).then(() => undefined)
  }
  return {
    stdout: (bytes) => {
      capture?.push(bytes)
      matcher?.push(bytes)
      return send(plan.stdoutLog, files.get(plan.stdoutFile), bytes)
    },
    stderr: (bytes) => send(plan.stderrLog, files.get(plan.stderrFile), bytes),
    end: async () => {
      const writers = new Set([plan.stdoutLog, plan.stderrLog])
      await Promise.all([...[...writers].map((log) => log.close()), ...[...files.values()].map(closeFile)])
      const result = capture?.end()
      return {
        captured: result?.text,
        isTooLarge: result?.isTooLarge ?? false,
        matched: matcher?.end() ?? false,
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

function openFiles(paths: readonly (string | undefined)[]): Map<string | undefined, Writable> {
  const files = new Map<string | undefined, Writable>()
  for (const path of paths) {
    if (path === undefined || files.has(path)) continue
    asStepUser(() => makeFolder(dirname(path)))
    files.set(path, openFile(path))
  }
  return files
}

function openFile(path: string): Writable {
  let file: Writable
  try {
    file = createWriteStream(path, { fd: openAsStepUser(path, O_WRONLY | O_APPEND | O_CREAT) })
  } catch (error) {
    file = new Writable().destroy(error as Error)
  }
  // Ignored here: the next write or the close fails with the same error.
  return file.on('error', () => undefined)
}

function writeTo(file: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (file.errored !== null) return reject(file.errored)
    file.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

function closeFile(file: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    if (file.errored !== null) return reject(file.errored)
    file.end((error?: Error | null) => (error ? reject(error) : resolve()))
  })
}
