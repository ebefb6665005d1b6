import { styleText } from 'node:util'
import { durationText } from '#lib/core/duration-text.ts'

type Line = Readonly<Record<string, unknown>>

/** Fields that a human-readable line omits, or shows in another form. */
const hiddenFields = new Set([
  'level',
  'time',
  'part',
  'pid',
  'event',
  'message',
  'dag',
  'runId',
  'error',
  'requestId',
  'route',
  'owner',
])

const marks = { warn: ['yellow', 'WARN '], error: ['red', 'ERROR '], debug: ['dim', ''] } as const

/**
 * Formats a line of the service log for people: local time, subject, message and the other fields.
 * @param json one line of JSON
 * @param isColoured whether to add colour escape sequences
 */
export function terminalLine(json: string, { isColoured }: { readonly isColoured: boolean }): string {
  const line = JSON.parse(json) as Line
  const style = (name: Parameters<typeof styleText>[0], text: string): string =>
    isColoured ? styleText(name, text, { validateStream: false }) : text
  const [colour, mark] = marks[line['level'] as keyof typeof marks] ?? []
  const level = mark === undefined || mark === '' ? '' : style(colour ?? 'dim', mark)
  const isWaiting = line['event'] === 'runner.draining' && Number(line['steps']) > 0
  const words = `${plain(messageText(line))}${isWaiting ? '; Ctrl-C again kills them' : ''}`
  const tinted =
    colour !== undefined ? style(colour, words) : line['status'] === 'failed' ? style('red', words) : words
  const rest = Object.entries(line).filter(
    ([name, value]) => !hiddenFields.has(name) && !isInMessage(line, name) && value !== undefined,
  )
  const fields = rest.map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const tail = fields.length === 0 ? '' : style('dim', `  ${plain(fields.join(' '))}`)
  return `${style('dim', timeOf(line))}  ${level}${tinted}${tail}`
}

/** Local time of day. */
function timeOf({ time }: Line): string {
  const at = new Date(typeof time === 'string' ? time : Number.NaN)
  const two = (count: number): string => String(count).padStart(2, '0')
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** The message. For some events, it includes their fields. */
function messageText(line: Line): string {
  const { event, message, dag, runId } = line
  const subject = [dag, runId].filter((one) => typeof one === 'string').join(' ')
  const about = subject === '' ? '' : `${subject}: `
  const why = errorOf(line)
  const because = why === '' ? '' : `: ${why}`
  if (event === 'run.finished') return `${about}${String(line['status'] ?? message)}${after(line)}${because}`
  if (event === 'request.answered' || event === 'request.failed') {
    return `${String(line['method'])} ${String(line['path'])}: ${String(line['status'])}${after(line)}${because}`
  }
  return `${about}${String(message)}${because}`
}

/** Whether {@link messageText} includes a field. */
function isInMessage({ event }: Line, name: string): boolean {
  if (event === 'runner.draining') return ['runs', 'steps'].includes(name)
  if (event === 'run.finished') return ['status', 'durationMs', 'attempt'].includes(name)
  return (
    (event === 'request.answered' || event === 'request.failed') &&
    ['method', 'path', 'status', 'ms', 'code'].includes(name)
  )
}

function after({ durationMs, ms }: Line): string {
  const given = durationMs ?? ms
  return typeof given === 'number' ? ` after ${durationText(given)}` : ''
}

/** The first line of an error; only JSON lines have the stack. */
function errorOf({ error }: Line): string {
  if (typeof error === 'string') return error.split('\n', 1)[0] ?? ''
  const { message } = Object(error) as { readonly message?: unknown }
  return typeof message === 'string' ? (message.split('\n', 1)[0] ?? '') : ''
}

/** Removes control characters, so that names cannot control the terminal. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ')

/** Wraps a destination: receives JSON lines, writes human-readable ones. */
export function humanReadable(
  destination: { write(line: string): void },
  options: { readonly isColoured: boolean },
): { write(line: string): void } {
  return { write: (line) => destination.write(`${terminalLine(line, options)}\n`) }
}
