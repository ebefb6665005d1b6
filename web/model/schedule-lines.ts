import { isBlank } from './yaml-line.ts'

/** The lines from `schedule` to the next field, without comments. If they are unchanged, so are its times. */
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
