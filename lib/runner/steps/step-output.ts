import { GrowingBytes } from '#lib/core/growing-bytes.ts'
import { limits } from '#lib/core/limits.ts'
import type { FileBound } from '#lib/files/file-bounds.ts'
import { openOutputFile, type OutputFile } from '#lib/files/output-file.ts'
import type { OutputSink } from '#lib/executors/executor.ts'
import { inTurns } from '#lib/executors/in-turns.ts'
import { outputMatches } from '#lib/definition/values/output-matcher.ts'
import type { LogWriter } from '../log/log-writer.ts'

/** Destinations of the output of one attempt. */
export interface OutputPlan {
  readonly stdoutLog: LogWriter
  /** The same writer as `stdoutLog` when the streams are merged. */
  readonly stderrLog: LogWriter
  /** Files to which the step redirects its output. */
  readonly stdoutFile: RedirectFile | undefined
  readonly stderrFile: RedirectFile | undefined
  /** Undefined when standard output is not captured. */
  readonly capture: CapturePlan | undefined
  /** Texts and `re:` patterns to find in standard output. */
  readonly patterns: readonly string[]
}

export interface CapturePlan {
  readonly bytesMax: number
  /** Sets the size of this output. @returns whether all outputs of the run are within their limit */
  readonly reserve: (bytes: number) => boolean
}

export interface RedirectFile {
  /** Absolute. */
  readonly path: string
  readonly bounds: readonly FileBound[]
}

export interface StepOutput {
  readonly stdout: OutputSink
  readonly stderr: OutputSink
  /** Resolves when all output is durable. */
  readonly end: () => Promise<{
    /** Standard output without surrounding white space; undefined when nothing was to be captured. */
    readonly captured: string | undefined
    /** Why standard output could not be captured. */
    readonly captureFault: string | undefined
    readonly matched: boolean
  }>
}

/**
 * Opens files and logs for one attempt. Files are appended to, so retries and repetitions keep earlier output.
 * @throws FileError when a file cannot be opened, or is not a regular file
 */
export function openStepOutput(plan: OutputPlan): StepOutput {
  const { stdoutFile, stderrFile } = openFiles(plan)
  const capture = plan.capture && keepOutput(plan.capture)
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
      // Close all before throwing: the log must be durable even if a file is not.
      const closed = await Promise.allSettled([...destinations].map(async (one) => one?.close()))
      for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason
      const result = capture?.end()
      return {
        captured: result?.text,
        captureFault: result?.fault,
        matched: matcher === undefined ? false : await inTurns(matcher.end()),
      }
    },
  }
}

interface Capture {
  readonly push: (bytes: Uint8Array) => void
  readonly end: () => { text: string; fault: string | undefined }
}

function keepOutput({ bytesMax, reserve }: CapturePlan): Capture {
  const kept = new GrowingBytes()
  let size = 0
  let fault: string | undefined
  const fail = (why: string): void => {
    fault ??= why
    kept.take()
    reserve(0)
  }
  reserve(0)
  return {
    push: (bytes) => {
      size += bytes.length
      if (fault !== undefined) return
      if (size > bytesMax) return fail(`output exceeded maximum size limit of ${bytesMax} bytes`)
      if (!reserve(size))
        return fail(`the outputs of the run exceed ${limits.runOutputBytesMax} bytes together`)
      kept.add(bytes)
    },
    end: () => {
      // Neither an environment variable nor a column can hold NUL.
      const text = kept.take().toString('utf8').replaceAll('\0', '').trim()
      if (jsonLength(text) <= limits.outputJsonLengthMax) return { text, fault }
      fail(
        `output exceeded ${limits.outputJsonLengthMax} characters, in which a control character counts as six`,
      )
      return { text: '', fault }
    },
  }
}

/** Maximum length of a character in JSON, `\u0000`. */
const escapeLength = 6

function jsonLength(text: string): number {
  return text.length * escapeLength <= limits.outputJsonLengthMax ? 0 : JSON.stringify(text).length
}

/** Opens one file when both streams go to the same path, so that their output is in order. */
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
