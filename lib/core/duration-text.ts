/**
 * A duration for people: `340 ms`, `1.2 s`, `2 m 03 s`, `1 h 02 m`, `3 d 04 h`.
 * @param ms milliseconds; a negative one counts as 0
 */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 1_000) return `${whole} ms`
  const tenths = Math.round(whole / 100)
  if (tenths < 600) return `${tenths / 10} s`
  const seconds = Math.round(whole / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${padded(seconds % 60)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${padded(minutes % 60)} m`
  const hours = Math.floor(minutes / 60)
  return `${Math.floor(hours / 24)} d ${padded(hours % 24)} h`
}

const padded = (count: number): string => String(count).padStart(2, '0')
