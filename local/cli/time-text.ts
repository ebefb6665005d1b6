/**
 * A time for people, in the zone of this machine: `2026-11-20 14:03:05 +01:00`.
 * @param time RFC 3339, or milliseconds since 1970; empty when there is none
 */
export function timeText(time: string | number, { isUtc }: { readonly isUtc: boolean }): string {
  if (time === '') return '-'
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return String(time)
  const offset = isUtc ? 0 : -at.getTimezoneOffset()
  const shown = new Date(at.getTime() + offset * 60_000).toISOString()
  return `${shown.slice(0, 10)} ${shown.slice(11, 19)} ${offset === 0 ? 'UTC' : offsetText(offset)}`
}

/** @param minutes east of UTC */
function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
