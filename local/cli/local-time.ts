import { UsageError } from './command.ts'

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/**
 * Parses a point in time: a duration before now (`24h`, `30m`, `7d`), a date, or a date with a time. Without a zone it
 * is local.
 * @returns seconds since 1970
 * @throws UsageError
 */
export function readTime(option: string, text: string, now: number): number {
  const [, count, unit] = /^(\d{1,6})\s*([smhdw])$/.exec(text.trim()) ?? []
  if (count !== undefined)
    return Math.floor((now - Number(count) * unitMs[unit as keyof typeof unitMs]) / 1_000)
  const date = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.test(text.trim())
  // A date alone would be midnight in UTC.
  const at = date ? Date.parse(text.trim().length === 10 ? `${text.trim()}T00:00` : text.trim()) : Number.NaN
  if (at >= 0) return Math.floor(at / 1_000)
  throw new UsageError(
    `--${option} must be a duration such as 24h, 30m or 7d, or a time such as 2026-11-20 or 2026-11-20T14:03, ` +
      `got ${JSON.stringify(text)}`,
  )
}
