/** What a key of the whole page does. */
export type Command = 'palette' | 'help' | 'next-row' | 'previous-row' | Destination

type Destination = 'dags' | 'runs' | 'queues' | 'runners' | 'schedule' | 'overview'

export interface Stroke {
  readonly key: string
  /** With Ctrl or ⌘. */
  readonly isModified: boolean
  /** In a field, where letters are text. */
  readonly isTyping: boolean
  /** Whether the page has a filter field, to which `/` leads. */
  readonly hasFilter: boolean
}

export interface Reading {
  readonly command?: Command
  /** Whether `g` was pressed, so that a second key is expected. */
  readonly isGoing: boolean
}

/** Each key with what it does, for people. The first word of some is a letter that can be switched off. */
export const keyTexts: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'go to a page, DAG or run'],
  ['/', 'focus the filter of the page, or open Go to'],
  ['g d', 'DAGs'],
  ['g r', 'runs'],
  ['g q', 'queues'],
  ['g w', 'runners'],
  ['g s', 'schedule'],
  ['g o', 'overview'],
  ['j', 'next row of a table'],
  ['k', 'the row before'],
  ['n', 'in a log: the next line that tells of an error'],
  ['p', 'in a log: the one before'],
  ['x', 'select the row that has the focus; with Shift, all rows up to it'],
  ['Ctrl S', 'save, in the editor'],
  ['F8', 'next problem, in the editor'],
  ['Enter', 'open what has the focus, such as a row'],
  ['Escape', 'close a dialog or menu'],
  ['?', 'this list'],
]

const destinations: Readonly<Record<string, Destination>> = {
  d: 'dags',
  r: 'runs',
  q: 'queues',
  w: 'runners',
  s: 'schedule',
  o: 'overview',
}

/**
 * Reads a key.
 * @param hasLetters whether single letters act; users of speech input may switch them off
 */
export function readKey(stroke: Stroke, isGoing: boolean, hasLetters: boolean): Reading {
  const { key, isModified, isTyping, hasFilter } = stroke
  if (isModified) return key.toLowerCase() === 'k' ? { command: 'palette', isGoing: false } : none
  if (isTyping || !hasLetters) return none
  const destination = destinations[key]
  if (isGoing && destination !== undefined) return { command: destination, isGoing: false }
  if (key === '?') return { command: 'help', isGoing: false }
  if (key === '/' && !hasFilter) return { command: 'palette', isGoing: false }
  if (key === 'j') return { command: 'next-row', isGoing: false }
  if (key === 'k') return { command: 'previous-row', isGoing: false }
  return { isGoing: key === 'g' }
}

const none: Reading = { isGoing: false }
