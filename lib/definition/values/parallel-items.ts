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
  if (json !== undefined && kind === 'array') return firstItems(elementsOf(json).map(plainText))
  if (json !== undefined && kind === 'object') return firstItems([plainText(json)].values())
  const items = piecesOf(text.trim()).map((piece) => unquote(piece.trim()))
  return firstItems(items.filter((item) => item !== ''))
}

/** A text may have millions of items: no more are made than are needed to refuse them. */
function firstItems(items: IteratorObject<string>): ParallelItems {
  return countItems([...items.take(limits.parallelItemsMax + 1)])
}

/** The same check for items that a file lists individually. */
export function countItems(items: readonly string[]): ParallelItems {
  if (items.length === 0) return { fault: 'parallel has no items' }
  const most = limits.parallelItemsMax
  return items.length > most ? { fault: `parallel has more than ${most} items, so none is run` } : { items }
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

/** The pieces, but empty ones, between the first of the separators that occurs outside of quotes. */
function* piecesOf(list: string): Generator<string, void> {
  const { kinds, isOpen } = kindsOf(list, true)
  // A quote that is never closed is an ordinary character.
  const all = isOpen ? kindsOf(list, false).kinds : kinds
  const least = separators.find((kind) => all.includes(kind)) ?? noSeparator
  let from = 0
  for (let at = all.indexOf(least); least > noSeparator && at >= 0; at = all.indexOf(least, at + 1)) {
    if (at > from) yield list.slice(from, at)
    from = at + 1
  }
  yield list.slice(from)
}

const noSeparator = 0
const separators = [1, 2, 3, 4, 5, 6]

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
