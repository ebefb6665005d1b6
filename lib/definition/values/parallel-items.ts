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
  const pieces = cut(text.trim())
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

/** The number of a separator, from 1; 0: the character is none. Blanks come last. */
function separatorOf(character: string): number {
  switch (character) {
    case '\n':
      return 1
    case ',':
      return 2
    case ';':
      return 3
    case '|':
      return 4
    case '\t':
      return 5
    default:
      return character.trim() === '' ? 6 : 0
  }
}

/** Cuts at the first of the separators that occurs outside of quotes. */
function cut(list: string): string[] {
  const { kinds, isOpen } = kindsOf(list, true)
  // A quote that is never closed is an ordinary character.
  const all = isOpen ? kindsOf(list, false).kinds : kinds
  const least = all.reduce((one, kind) => (kind > 0 && (one === 0 || kind < one) ? kind : one), 0)
  const pieces: string[] = []
  let from = 0
  for (let at = all.indexOf(least); least > 0 && at >= 0; at = all.indexOf(least, at + 1)) {
    pieces.push(list.slice(from, at))
    from = at + 1
  }
  return [...pieces, list.slice(from)]
}

/** For each character, the number of the separator that it is, from 1; 0: none, or within quotes. */
function kindsOf(list: string, hasQuotes: boolean): { readonly kinds: Uint8Array; readonly isOpen: boolean } {
  const kinds = new Uint8Array(list.length)
  let isOpen = false
  for (let at = 0; at < list.length; at++) {
    const character = list.charAt(at)
    if (isOpen && character === '\\') at += 1
    else if (hasQuotes && character === '"') isOpen = !isOpen
    else if (!isOpen) kinds[at] = separatorOf(character)
  }
  return { kinds, isOpen }
}
function unquote(item: string): string {
  if (!item.startsWith('"')) return item
  const json = readJson(item)
  if (json !== undefined) return plainText(json)
  return item.length > 1 && item.endsWith('"') ? item.slice(1, -1) : item
}
