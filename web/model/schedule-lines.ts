import { isBlank } from './yaml-line.ts'

/** The lines of a text from `schedule` up to the next field, without comments: while they stay, so do its times. */
export function scheduleLines(text: string): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => /^["']?schedule["']?\s*:/i.test(line))
  if (first < 0) return ''
  const next = lines.findIndex((line, at) => at > first && /^[^\s#-]/.test(line))
  return lines
    .slice(first, next < 0 ? lines.length : next)
    .filter((line) => !isBlank(line))
    .join('\n')
}
