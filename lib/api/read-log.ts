import type { InferOutput } from 'valibot'
import type { LogKey, LogStore } from '#lib/logs/log-store.ts'
import { selectWindow } from '#lib/logs/select-window.ts'
import { isMerged, type RunStep } from '#lib/runs/find-step.ts'
import type { RunRecord } from '#lib/runs/run-record.ts'
import type { LogChunk, LogQuery, StepLogQuery } from './schemas/log.ts'

type Chunk = InferOutput<typeof LogChunk>

/** Lines of the log of a run itself. */
export function readRunLog(
  logs: LogStore,
  run: RunRecord,
  query: InferOutput<typeof LogQuery>,
): Promise<Chunk> {
  return readChunk(logs, { runKey: run.runKey, attempt: run.attempt, step: '', stream: 'run' }, query)
}

/** Lines of what a step wrote. With merged output both streams stand in one. */
export function readStepLog(
  logs: LogStore,
  step: RunStep,
  query: InferOutput<typeof StepLogQuery>,
): Promise<Chunk> {
  const { run, definition, planned, record } = step
  const stream = isMerged(definition, planned.step) ? 'stdout' : query.stream
  const attempt = record?.attempt ?? run.attempt
  return readChunk(logs, { runKey: run.runKey, attempt, step: planned.step.name, stream }, query)
}

async function readChunk(logs: LogStore, key: LogKey, query: InferOutput<typeof LogQuery>): Promise<Chunk> {
  const window = selectWindow(query)
  const { bytes, lineCount, totalLines, firstLine } = await logs.window(key, window)
  const text = Buffer.from(bytes).toString('utf8')
  const seen = window.from === 'end' ? lineCount : firstLine + lineCount - 1
  return {
    content: text.endsWith('\n') ? text.slice(0, -1) : text,
    lineCount,
    totalLines,
    hasMore: lineCount > 0 && seen < totalLines,
    isEstimate: false,
  }
}
