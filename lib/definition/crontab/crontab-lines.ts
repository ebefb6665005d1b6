/** Characters of a line. Cron itself takes about a thousand. */
export const lineLengthMax = 65_536

/** Each entry becomes a DAG. */
const linesMax = 100_000

/**
 * The lines of a crontab, whatever ends them; a byte order mark is not a part of the first.
 * @throws Error when it has too many; Error that names the line, when it is not a text
 */
export function crontabLines(bytes: Uint8Array): string[] {
  const lines = decoded(bytes).split(/\r\n?|\n/)
  if (lines.length > linesMax) throw new Error(`the crontab has ${lines.length} lines, at most ${linesMax}`)
  const nul = lines.findIndex((line) => line.includes('\0'))
  if (nul >= 0) throw new Error(`line ${nul + 1} of the crontab has a NUL character: it is not a text`)
  return lines
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('the crontab is not a text in UTF-8')
  }
}
