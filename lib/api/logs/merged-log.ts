import type { InferOutput } from 'valibot'
import { ndjson } from '#lib/api/answers/rows.ts'
import { Streamed } from '#lib/api/answers/streamed.ts'
import type { MergedLogQuery } from '#lib/api/schemas/log.ts'
import type { Services } from '#lib/api/services.ts'
import { notFound } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { isFinalRun } from '#lib/core/status.ts'
import { planRun } from '#lib/engine/plan.ts'
import type { LogStore } from '#lib/logs/log-store.ts'
import {
  isBefore,
  linesOfPiece,
  orderedPieces,
  positionIn,
  type MergedLine,
  type MergedPiece,
  type MergedPosition,
  type MergedSource,
} from '#lib/logs/merge-logs.ts'
import type { RunState } from '#lib/runs/read/load-run.ts'
import { stepLogState } from './log-state.ts'

type Query = InferOutput<typeof MergedLogQuery>

/**
 * What the steps of a run wrote, in the order in which it was stored, as JSON lines.
 * @throws ServiceError `not_found` for a step that the run does not have
 */
export function mergedLog(
  { logs, now }: Pick<Services, 'logs' | 'now'>,
  state: RunState,
  query: Query,
): Streamed {
  const sources = sourcesOf(state, query)
  const isOver = isFinalRun(state.run.status)
  const until = isOver ? Infinity : now() - limits.mergedLagMs
  const { from, ...rest } = query
  const wanted = { ...rest, ...(from !== undefined && { from: addressOf(from) }), isOver, until }
  return new Streamed(written(logs, sources, wanted), { 'content-type': ndjson })
}

function sourcesOf({ run, definition, steps }: RunState, { step, stream, attempt }: Query): MergedSource[] {
  const planned = planRun(definition).steps
  if (step !== undefined && !planned.some((one) => one.step.name === step)) throw notFound('step', step)
  const streams = (['stdout', 'stderr'] as const).filter((one) => stream === undefined || one === stream)
  return planned.flatMap((one, position) => {
    const record = steps.get(one.step.name)
    if (record === undefined || (step !== undefined && one.step.name !== step)) return []
    const asked = attempt === undefined ? {} : { attempt }
    const keys = streams.map(
      (name) => stepLogState({ run, definition, planned: one, record }, { ...asked, stream: name }).key,
    )
    // Merged output has a single log.
    const own = keys.filter((key, index) => keys.findIndex((other) => other.stream === key.stream) === index)
    return own.map((key) => ({
      key,
      number: 2 * position + (key.stream === 'stderr' ? 1 : 0),
      since: record.startedAt ?? 0,
    }))
  })
}

interface Wanted {
  readonly from?: MergedPosition
  readonly tail?: number
  readonly limit: number
  readonly isOver: boolean
  /** Lines stored later are left for another call; milliseconds since 1970. */
  readonly until: number
}

async function* written(
  logs: LogStore,
  sources: readonly MergedSource[],
  wanted: Wanted,
): AsyncGenerator<Uint8Array> {
  const pieces = (await orderedPieces(logs, sources)).filter(({ at }) => at <= wanted.until)
  let next = wanted.from
  if (next === undefined && wanted.tail !== undefined) {
    const { lines, end } = await lastLines(logs, pieces, wanted.tail, wanted.isOver)
    for (const line of lines) yield row(shown(line))
    yield row({ done: true, ...(end !== undefined && { next: positionText(end) }) })
    return
  }
  const deadline = performance.now() + limits.logSearchMsMax
  let count = 0
  for (const piece of pieces) {
    if (next !== undefined && isBefore(piece, next)) continue
    const first = next !== undefined && isSame(piece, next) ? next.line : 0
    next = positionIn(piece, first)
    for await (const line of linesOfPiece(logs, piece, wanted.isOver)) {
      if (line.line < first) continue
      if (count >= wanted.limit || performance.now() > deadline) {
        yield row({ done: false, next: positionText(positionIn(piece, line.line)) })
        return
      }
      count += 1
      yield row(shown(line))
      next = positionIn(piece, line.line + 1)
    }
  }
  yield row({ done: true, ...(next !== undefined && { next: positionText(next) }) })
}

const isSame = ({ source, start, at }: MergedPiece, position: MergedPosition): boolean =>
  at === position.at && source.number === position.source && start === position.start

/** Reads backwards, part by part, and of each part no more than is wanted is held. */
async function lastLines(
  logs: LogStore,
  pieces: readonly MergedPiece[],
  count: number,
  isOver: boolean,
): Promise<{ readonly lines: readonly MergedLine[]; readonly end: MergedPosition | undefined }> {
  let lines: MergedLine[] = []
  let end: MergedPosition | undefined
  for (const piece of pieces.toReversed()) {
    let own: MergedLine[] = []
    for await (const line of linesOfPiece(logs, piece, isOver)) {
      own.push(line)
      if (own.length > 2 * count) own = own.slice(-count)
    }
    end ??= positionIn(piece, (own.at(-1)?.line ?? 0) + 1)
    lines = [...own, ...lines].slice(-count)
    if (lines.length >= count) break
  }
  return { lines, end }
}

const shown = ({ source: { key }, line, text, missing, at }: MergedLine): object => ({
  at,
  step: key.step,
  stream: key.stream,
  line,
  text,
  ...(missing > 0 && { missing }),
})

function addressOf(text: string): MergedPosition {
  const [at = 0, source = 0, start = 0, line = 0] = text.split('-').map(Number)
  return { at, source, start, line }
}
const positionText = ({ at, source, start, line }: MergedPosition): string =>
  [at, source, start, line].join('-')
const row = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`)
