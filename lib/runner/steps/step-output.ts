import { GrowingBytes } from '#lib/core/growing-bytes.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { openOutputFile, type OutputFile } from '#lib/files/output-file.ts'
import type { OutputSink } from '#lib/executors/executor.ts'
import { inTurns } from '#lib/executors/in-turns.ts'
import { outputMatches } from '#lib/definition/values/output-matcher.ts'
import type { LogWriter } from '#lib/logs/log-writer.ts'

/** Destinations of the output of one attempt. */
export interface OutputPlan {
  readonly stdoutLog: LogWriter
  /** The writer of standard output itself, when the streams are merged. */
  readonly stderrLog: LogWriter
  /** Files to which the step redirects its output. */
  readonly stdoutFile: RedirectFile | undefined
  readonly stderrFile: RedirectFile | undefined
  /** Maximum number of bytes of standard output to capture; undefined: none are captured. */
  readonly captureMax: number | undefined
  /** Texts and `re:` patterns to find in standard output. */
  readonly patterns: readonly string[]
}

/** A file to which a step redirects output. */
export interface RedirectFile {
  /** Absolute. */
  readonly path: string
  readonly bounds: readonly FileBound[]
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

/**
 * Opens files and logs for one attempt. Files are appended to, so retries and repetitions keep earlier output.
 * @throws FileError when a file cannot be opened, or is no regular file
 */
export function openStepOutput(plan: OutputPlan): StepOutput {
  const { stdoutFile, stderrFile } = openFiles(plan)
  const capture = plan.captureMax === undefined ? undefined : keepOutput(plan.captureMax)
  const matcher = plan.patterns.length === 0 ? undefined : outputMatches(plan.patterns)
  const send = (
    log: LogWriter,
    file: OutputFile | undefined,
    bytes: Uint8Array,
  ): Promise<void> | undefined => {
    const logged = log.write(bytes)
    if (file === undefined) return logged
    return Promise.all([logged, file.write(bytes)]).then(() => undefined)
  }
  return {
    stdout: (bytes) => {
      capture?.push(bytes)
      const matched = matcher === undefined ? undefined : inTurns(matcher.push(bytes))
      const sent = send(plan.stdoutLog, stdoutFile, bytes)
      return matched === undefined ? sent : Promise.all([matched, sent]).then(() => undefined)
    },
    stderr: (bytes) => send(plan.stderrLog, stderrFile, bytes),
    end: async () => {
      const destinations = new Set([plan.stdoutLog, plan.stderrLog, stdoutFile, stderrFile])
      // The log is durable at the end, also when a file is not.
      const closed = await Promise.allSettled([...destinations].map(async (one) => one?.close()))
      for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason
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
  const kept = new GrowingBytes()
  let size = 0
  return {
    push: (bytes) => {
      size += bytes.length
      if (size > bytesMax) kept.take()
      else kept.add(bytes)
    },
    // Neither an environment nor a table can hold a NUL.
    end: () => ({
      text: kept.take().toString('utf8').replaceAll('\0', '').trim(),
      isTooLarge: size > bytesMax,
    }),
  }
}

/** One file when both streams go to the same path, so that their output is in order. */
function openFiles({ stdoutFile, stderrFile }: OutputPlan): {
  stdoutFile: OutputFile | undefined
  stderrFile: OutputFile | undefined
} {
  const out = stdoutFile && openOutputFile(stdoutFile.path, { what: 'stdout', bounds: stdoutFile.bounds })
  if (stderrFile === undefined) return { stdoutFile: out, stderrFile: undefined }
  if (stderrFile.path === stdoutFile?.path) return { stdoutFile: out, stderrFile: out }
  try {
    const { path, bounds } = stderrFile
    return { stdoutFile: out, stderrFile: openOutputFile(path, { what: 'stderr', bounds }) }
  } catch (error) {
    void out?.close().catch(() => undefined)
    throw error
  }
}
