/** A position within a bracketed list or map. */
export interface FlowPosition {
  /** From the outermost bracket. */
  readonly path: readonly (string | number)[]
  readonly at: 'key' | 'value'
  /** Offset of the first character of the key or value. */
  readonly start: number
  /** Keys of the innermost map, if it is one, up to here. */
  readonly present: readonly string[]
}

interface Frame {
  readonly isMap: boolean
  index: number
  key: string | undefined
  readonly keys: string[]
  start: number
}

const keyEnd = /[\s,[\]{}"']/

/**
 * Reads a text that begins with a bracket up to its end.
 * @returns the innermost bracket that is still open there; undefined: none is
 */
export function readFlow(text: string): FlowPosition | undefined {
  const frames: Frame[] = []
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const top = frames.at(-1)
    if (quote !== '') {
      if (char === '\\' && quote === '"') at += 1
      else if (char === quote) quote = ''
    } else if ((char === '"' || char === "'") && text.slice(top?.start ?? 0, at).trim() === '') quote = char
    else if (char === '{' || char === '[') {
      frames.push({ isMap: char === '{', index: 0, key: undefined, keys: [], start: at + 1 })
    } else if (char === '}' || char === ']') {
      frames.pop()
      if (frames.length === 0) return undefined
    } else if (top !== undefined) step(top, text, at)
  }
  const top = frames.at(-1)
  if (top === undefined) return undefined
  const path = frames.flatMap((frame): (string | number)[] => {
    if (!frame.isMap) return [frame.index]
    return frame.key === undefined ? [] : [frame.key]
  })
  const blanks = text.slice(top.start).search(/\S|$/)
  return {
    path,
    at: top.isMap && top.key === undefined ? 'key' : 'value',
    start: top.start + blanks,
    present: top.isMap ? top.keys : [],
  }
}

function step(frame: Frame, text: string, at: number): void {
  const char = text.charAt(at)
  if (char === ',') {
    frame.index += 1
    frame.key = undefined
    frame.start = at + 1
  } else if (char === ':' && frame.isMap && frame.key === undefined) {
    const next = text.charAt(at + 1)
    if (next !== '' && !keyEnd.test(next)) return
    frame.key = text
      .slice(frame.start, at)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
    frame.keys.push(frame.key)
    frame.start = at + 1
  }
}
