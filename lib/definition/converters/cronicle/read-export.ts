import { limits } from '#lib/core/limits.ts'
import type { Plain } from '../plain-value.ts'

/** An event of Cronicle, as JSON has it. */
export type CronicleEvent = Readonly<Record<string, Plain | undefined>>

const lengthMax = 16 * limits.specBytesMax

/**
 * The events of an export: the lines `key - JSON` that `control.sh export` writes, or the JSON of `get_schedule` (an
 * object with `rows`, or a list). Items that are no events are passed over.
 * @throws Error when it is neither
 */
export function readExport(text: string): CronicleEvent[] {
  if (text.length > lengthMax) throw new Error(`an export has at most ${lengthMax} characters`)
  if (/^\s*[[{]/.test(text)) {
    const value = parse(text)
    if (value === undefined) throw new Error('the export is not JSON')
    return eventsIn(Array.isArray(value) ? value : Object(value)['rows'])
  }
  const lines = text.split(/\r\n?|\n/).filter((line) => line.startsWith('global/schedule/'))
  if (lines.length === 0) throw new Error('the export has no line that begins with global/schedule/')
  return lines.flatMap((line) => eventsIn(Object(parse(line.slice(line.indexOf(' - ') + 3)))['items']))
}

function eventsIn(items: unknown): CronicleEvent[] {
  if (!Array.isArray(items)) return []
  return items.filter(
    (item): item is CronicleEvent => typeof (Object(item) as { id?: unknown }).id === 'string',
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
