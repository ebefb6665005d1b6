import type { InferOutput } from 'valibot'
import { badRequest } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { readSpan } from '#lib/logs/fit-lines.ts'
import { runLogKey, type LogKey, type LogStore } from '#lib/logs/log-store.ts'
import { selectWindow } from '#lib/logs/select-window.ts'
import { isMerged, type RunStep } from '#lib/runs/find-step.ts'
import type { RunRecord } from '#lib/runs/run-record.ts'
import { LogText } from './log-text.ts'
import type { LogChunk, LogQuery, StepLogQuery } from './schemas/log.ts'

type Chunk = InferOutput<typeof LogChunk>

/** The log key of a step's stream. With merged output there is only one stream. */
export function stepLogKey(
  { run, definition, planned, record }: Pick<RunStep, 'run' | 'definition' | 'planned' | 'record'>,
  stream: 'stdout' | 'stderr',
): LogKey {
  return {
    runKey: run.runKey,
    attempt: record?.attempt ?? run.attempt,
    step: planned.step.name,
    stream: isMerged(definition, planned.step) ? 'stdout' : stream,
  }
}

/**
 * Lines of the log of a run.
 * @throws ServiceError `bad_request` for an attempt that the run has not had
 */
export async function readRunLog(
  logs: LogStore,
  run: RunRecord,
  query: InferOutput<typeof LogQuery>,
): Promise<Chunk | LogText<Chunk>> {
  return readChunk(logs, inAttempt(runLogKey(run), run, query), query)
}

/**
 * Lines of the log of a step.
 * @throws ServiceError `bad_request` for an attempt that the run has not had
 */
export async function readStepLog(
  logs: LogStore,
  step: RunStep,
  query: InferOutput<typeof StepLogQuery>,
): Promise<Chunk | LogText<Chunk>> {
  return readChunk(logs, inAttempt(stepLogKey(step, query.stream), step.run, query), query)
}

function inAttempt(
  key: LogKey,
  run: RunRecord,
  { attempt = key.attempt }: InferOutput<typeof LogQuery>,
): LogKey {
  if (attempt <= run.attempt) return { ...key, attempt }
  const had = run.attempt === 1 ? 'one attempt' : `${run.attempt} attempts`
  throw badRequest(`attempt: the run has had ${had}, got ${attempt}`)
}

/** Texts up to this size are answered at once; longer ones piece by piece. */
const shortBytes = 65_536

async function readChunk(
  logs: LogStore,
  key: LogKey,
  query: InferOutput<typeof LogQuery>,
): Promise<Chunk | LogText<Chunk>> {
  const window = selectWindow(query)
  const span = await logs.locate(key, window, limits.logWindowBytesMax)
  const { lineCount, totalLines, firstLine, cutBytes } = span
  const seen = window.from === 'end' ? lineCount : firstLine + lineCount - 1
  const hasMore = lineCount > 0 && seen < totalLines
  const around = (content: string): Chunk => ({ content, lineCount, totalLines, hasMore, isEstimate: false })
  const pieces = readSpan(logs.read(key, span.start), span)
  if (span.end - span.start > shortBytes) return new LogText(pieces, endingOf(cutBytes), around)
  return around(Buffer.concat(await Array.fromAsync(pieces)).toString('utf8'))
}

function endingOf(cutBytes: number): string {
  return cutBytes === 0
    ? ''
    : ` [the line is cut here: ${cutBytes} bytes follow, which its stream has (/log/stream)]`
}
