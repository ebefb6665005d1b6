/** A key of an object, or an index of an array; negative indices count from the end. */
export type PathStep = string | number

export interface ReadPath {
  readonly steps: readonly PathStep[]
  /** Offset after the last character of the path. */
  readonly end: number
}

// Keys with dashes or other special characters need braces: in `$A.b-$C` the dash belongs to the text.
const forms = {
  braced: [
    /\.([\p{L}\p{N}_-]+)/uy,
    /\.?\[(-?\d{1,9})\]/y,
    /\.?\["([^"]{0,200})"\]/y,
    /\.?\['([^']{0,200})'\]/y,
  ],
  bare: [/\.([\p{L}\p{N}_]+)/uy, /\.?\[(-?\d{1,9})\]/y],
} as const

const placeForm = 1
const stepsMax = 64

/** Reads `.key`, `[0]` and, in braces, `["any key"]`, up to 64 steps. Returns no steps when no path begins here. */
export function readPath(text: string, from: number, style: 'braced' | 'bare'): ReadPath {
  const steps: PathStep[] = []
  let at = from
  if (text[at] !== '.' && text[at] !== '[') return { steps, end: at }
  for (;;) {
    const before = at
    for (const [number, form] of forms[style].entries()) {
      form.lastIndex = at
      const match = form.exec(text)
      if (match === null) continue
      const word = match[1] ?? ''
      steps.push(number === placeForm ? Number(word) : word)
      at = form.lastIndex
      break
    }
    if (at === before || steps.length === stepsMax) return { steps, end: at }
  }
}
