const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const two = (count: number): string => String(count).padStart(2, '0')

/** `40 ms`, `4.2 s`, `42 s`, `3 min 04 s`, `1 h 04 min`, `2 d 03 h`. */
export function durationText(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`
  if (ms < 10 * second) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  if (ms < minute) return `${Math.floor(ms / second)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min ${two(Math.floor((ms % minute) / second))} s`
  if (ms < day) return `${Math.floor(ms / hour)} h ${two(Math.floor((ms % hour) / minute))} min`
  return `${Math.floor(ms / day)} d ${two(Math.floor((ms % day) / hour))} h`
}

function roughly(ms: number): string {
  if (ms < minute) return `${Math.floor(ms / second)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`
  return `${Math.floor(ms / day)} d`
}

/** `3 min ago`, `in 5 h`; within a second: `now`. */
export function distanceText(atMs: number, nowMs: number): string {
  const ms = atMs - nowMs
  if (Math.abs(ms) < second) return 'now'
  return ms < 0 ? `${roughly(-ms)} ago` : `in ${roughly(ms)}`
}

/** Milliseconds since 1970; undefined for the empty text with which the API says that there is no time. */
export function instantOf(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
