import type { InferOutput } from 'valibot'
import { limits } from '#lib/core/limits.ts'
import { readCondition } from '#lib/definition/reading/conditions.ts'
import type { ContinueOn, RepeatPolicy, RetryPolicy } from '#lib/definition/definition.ts'
import type { PatternCheck } from '#lib/definition/reading/pattern-check.ts'
import type { Position } from '#lib/definition/reading/position.ts'
import type * as schema from '#lib/definition/schema/policies.ts'

type RawRetry = InferOutput<typeof schema.RetryPolicy>
type RawRepeat = InferOutput<typeof schema.RepeatPolicy>
type RawContinueOn = InferOutput<typeof schema.ContinueOn>
type ExitCodes = RawRetry['exitCode']

export function readRetryPolicy(raw: RawRetry, position: Position): RetryPolicy {
  const limit = readAmount(raw.limit)
  const intervalSec = readAmount(raw.intervalSec)
  const isWritten = typeof limit === 'string' || typeof intervalSec === 'string'
  return {
    limit: typeof limit === 'string' ? 0 : limit,
    intervalSec: typeof intervalSec === 'string' ? 0 : intervalSec,
    ...(isWritten && {
      written: {
        ...(typeof limit === 'string' && { limit }),
        ...(typeof intervalSec === 'string' && { intervalSec }),
      },
    }),
    exitCodes: readExitCodes(raw.exitCode),
    ...readBackoff(raw, position),
  }
}

/**
 * Reads the repeat policy. Without `repeat`, the mode follows from the other fields: `until`
 * with a condition and an expected text, `while` with only a condition or exit codes.
 * @returns undefined when the step is executed once
 */
export function readRepeatPolicy(
  raw: RawRepeat,
  position: Position,
  patterns: PatternCheck,
): RepeatPolicy | undefined {
  const exitCodes = readExitCodes(raw.exitCode)
  const decides = raw.condition !== undefined || exitCodes.length > 0
  if (raw.expected !== undefined && raw.condition === undefined) {
    position.fault('needs condition, the text that is compared with expected')
  }
  const mode = repeatMode(raw, decides)
  if (mode === undefined) return undefined
  if (mode !== 'always' && !decides) {
    position
      .at('repeat')
      .fault(`must not be ${mode} without condition or exitCode; true repeats while the step succeeds`)
  }
  const limit = Number(raw.limit ?? 0)
  return {
    mode,
    intervalSec: Number(raw.intervalSec ?? 0),
    limit: limit === 0 ? undefined : limit,
    condition:
      raw.condition === undefined
        ? undefined
        : readCondition({ ...raw, condition: raw.condition }, position, patterns),
    exitCodes,
    ...readBackoff(raw, position),
  }
}

function repeatMode(
  { repeat, condition, expected }: RawRepeat,
  decides: boolean,
): RepeatPolicy['mode'] | undefined {
  if (repeat === false) return undefined
  if (typeof repeat === 'string') return repeat
  if (repeat === true) return decides ? 'while' : 'always'
  if (!decides) return undefined
  return condition !== undefined && expected !== undefined ? 'until' : 'while'
}

/** A number; or the text itself, when it refers to a variable. */
function readAmount(raw: number | string): number | string {
  return typeof raw === 'string' && raw.includes('$') ? raw : Number(raw)
}

const never: ContinueOn = { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false }

export function readContinueOn(
  raw: RawContinueOn | undefined,
  position: Position,
  patterns: PatternCheck,
): ContinueOn {
  if (raw === undefined) return never
  if (typeof raw === 'string') return { ...never, [raw === 'skipped' ? 'skipped' : 'failure']: true }
  const output = [raw.output ?? []].flat()
  const length = output.reduce((sum, text) => sum + text.length, 0)
  if (length > limits.outputTextsLengthMax) {
    position.at('output').fault(`must have at most ${limits.outputTextsLengthMax} characters, has ${length}`)
  }
  for (const text of output) {
    const fault = text.trim() === '' ? 'is empty' : patterns.fault(text)
    if (fault !== undefined) position.at('output').fault(`must be texts, or re: and patterns: ${fault}`)
  }
  return {
    failure: raw.failure ?? false,
    skipped: raw.skipped ?? false,
    exitCodes: readExitCodes(raw.exitCode),
    output,
    markSuccess: raw.markSuccess ?? false,
  }
}

function readExitCodes(raw: ExitCodes): number[] {
  return [raw ?? []].flat().map(Number)
}

interface RawBackoff {
  readonly backoff?: number | boolean | undefined
  readonly maxIntervalSec?: number | string | undefined
}

/** `true` doubles the interval each time. */
function readBackoff(
  raw: RawBackoff,
  position: Position,
): { readonly backoff: number; readonly maxIntervalSec: number | undefined } {
  const max = Number(raw.maxIntervalSec ?? 0)
  const maxIntervalSec = max === 0 ? undefined : max
  const { backoff = false } = raw
  if (typeof backoff === 'boolean') return { backoff: backoff ? 2 : 1, maxIntervalSec }
  if (backoff > 1 && backoff <= 1_000) return { backoff, maxIntervalSec }
  if (backoff === 0) return { backoff: 1, maxIntervalSec }
  position.at('backoff').fault(`must be true, false, or a number greater than 1, is ${backoff}`)
  return { backoff: 1, maxIntervalSec }
}
