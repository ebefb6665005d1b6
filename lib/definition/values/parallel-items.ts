import { limits } from '#lib/core/limits.ts'
import { elementsOf, kindOf, plainText, readJson } from './json-text.ts'

export type ParallelItems = { readonly items: readonly string[] } | { readonly fault: string }

/**
 * Splits a text into items: the elements of a JSON array (objects as JSON text); one item for a JSON object; otherwise
 * the pieces between line breaks, commas, semicolons, bars, tabs or blanks, whichever of these occurs first in this
 * list outside of double quotes. Blanks around an item, empty items, and quotes around a whole item are dropped. No
 * item at all, or more than 1,000, is a fault.
 */
export function parallelItems(text: string): ParallelItems {
  const json = readJson(text)
  const kind = json === undefined ? undefined : kindOf(json)
  if (json !== undefined && kind === 'array') return countItems([...elementsOf(json)].map(plainText))
  if (json !== undefined && kind === 'object') return countItems([plainText(json)])
  const list = text.trim()
  const separator = separators.find((one) => splitOutsideQuotes(list, one).length > 1)
  const pieces = separator === undefined ? [list] : splitOutsideQuotes(list, separator)
  return countItems(pieces.map((piece) => unquote(piece.trim())).filter((item) => item !== ''))
}

/** The same check for items that a file lists individually. */
export function countItems(items: readonly string[]): ParallelItems {
  if (items.length === 0) return { fault: 'parallel has no items' }
  const most = limits.parallelItemsMax
  return items.length > most
    ? { fault: `parallel has ${items.length} items, at most ${most} are run` }
    : { items }
}

const separators = [/\n/, /,/, /;/, /\|/, /\t/, /\s/] as const

function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const pieces: string[] = []
  let from = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\\' && quoted) at += 1
    else if (character === '"') quoted = !quoted
    else if (!quoted && separator.test(character)) {
      pieces.push(text.slice(from, at))
      from = at + 1
    }
  }
  // A quote that is never closed is an ordinary character.
  return quoted ? text.split(separator) : [...pieces, text.slice(from)]
}

function unquote(item: string): string {
  if (!item.startsWith('"')) return item
  const json = readJson(item)
  if (json !== undefined) return plainText(json)
  return item.length > 1 && item.endsWith('"') ? item.slice(1, -1) : item
}
