/** A filter in which references to variables are named arguments of jq, with the values of these arguments. */
export interface JqProgram {
  readonly filter: string
  readonly args: Readonly<Record<string, string>>
}

const reference = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

/**
 * Passes the variables that a filter names as arguments of jq, so that a value is never read as program text: `$NAME`
 * and `${NAME}` become `$NAME`, and within a string `\($NAME)`. An unknown name is left alone: it is the filter's own
 * (`as $x`).
 */
export function readFilter(text: string, variables: Readonly<Record<string, string>>): JqProgram {
  const args: Record<string, string> = {}
  const rewrite = (part: string, put: (name: string) => string): string =>
    part.replace(reference, (whole, braced: string | undefined, plain: string | undefined) => {
      const name = braced ?? plain ?? ''
      const value = variables[name]
      if (value === undefined) return whole
      args[name] = value
      return put(name)
    })
  const parts = splitTexts(text).map(({ part, isText }) =>
    rewrite(part, (name) => (isText ? `\\($${name})` : `$${name}`)),
  )
  return { filter: parts.join(''), args }
}

/** Splits a filter into its string literals and the text between them, which includes interpolations. */
function splitTexts(text: string): { readonly part: string; readonly isText: boolean }[] {
  const parts: { part: string; isText: boolean }[] = []
  const depths: number[] = [] // open parentheses of each enclosing interpolation
  let isText = false
  let start = 0
  const cut = (end: number): void => {
    if (end > start) parts.push({ part: text.slice(start, end), isText })
    start = end
    isText = !isText
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    const depth = depths.at(-1)
    if (isText && sign === '\\') {
      at += 1
      if (text[at] !== '(') continue
      cut(at + 1)
      depths.push(0)
    } else if (sign === '"') {
      cut(isText ? at + 1 : at)
      if (isText && start === at) at = start
    } else if (!isText && depth !== undefined && sign === '(') {
      depths[depths.length - 1] = depth + 1
    } else if (!isText && depth !== undefined && sign === ')') {
      depths[depths.length - 1] = depth - 1
      if (depth === 0) {
        depths.pop()
        cut(at)
      }
    }
  }
  cut(text.length)
  return parts
}
