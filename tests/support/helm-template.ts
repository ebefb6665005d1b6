import { createHash } from 'node:crypto'
import { stringify } from 'yaml'

/** The values that a template may refer to: `Values`, `Release`, `Chart`. */
export type Scope = Readonly<Record<string, unknown>>

interface Block {
  readonly opening: string
  readonly parts: (string | Block)[]
}

/** Renders a template of a chart like Helm, but only the constructs that ours use. @throws Error for any other */
export function renderTemplate(template: string, scope: Scope): string {
  const variables = new Map<string, unknown>([['$', scope]])
  return renderParts(parse(template).parts, scope, variables)
}

function parse(template: string): Block {
  const open: Block[] = [{ opening: '', parts: [] }]
  // A dash trims the whitespace next to it.
  const text = template.replaceAll(/\s*\{\{-/g, '{{').replaceAll(/-\}\}\s*/g, '}}')
  for (const piece of text.split(/(\{\{.*?\}\})/)) {
    const action = /^\{\{\s*(.*?)\s*\}\}$/.exec(piece)?.[1]
    const inner = open.at(-1)
    if (inner === undefined) throw new Error('an end too many')
    if (action === undefined) inner.parts.push(piece)
    else if (action === 'end') open.pop()
    else if (/^(if|with|range)\s/.test(action)) {
      const block = { opening: action, parts: [] }
      inner.parts.push(block)
      open.push(block)
    } else inner.parts.push({ opening: action, parts: [] })
  }
  const [root, ...unclosed] = open
  if (root === undefined || unclosed.length > 0) throw new Error('an end is missing')
  return root
}

type Variables = ReadonlyMap<string, unknown>

function renderParts(parts: Block['parts'], dot: unknown, variables: Variables): string {
  return parts.map((part) => (typeof part === 'string' ? part : renderBlock(part, dot, variables))).join('')
}

function renderBlock({ opening, parts }: Block, dot: unknown, variables: Variables): string {
  const [, word = '', rest = ''] = /^(if|with|range)\s+(.*)$/.exec(opening) ?? []
  if (word === '') return String(evaluate(opening, dot, variables))
  if (word !== 'range') {
    const value = evaluate(rest, dot, variables)
    return isTrue(value) ? renderParts(parts, word === 'with' ? value : dot, variables) : ''
  }
  const [, first = '', second = '', list = ''] = /^(\$\w+)(?:, (\$\w+))? := (.*)$/.exec(rest) ?? []
  const entries = Object.entries(evaluate(list, dot, variables) as object)
  return entries
    .map(([key, value]) => {
      const own =
        second === ''
          ? [[first, value]]
          : [
              [first, key],
              [second, value],
            ]
      return renderParts(parts, value, new Map([...variables, ...(own as [string, unknown][])]))
    })
    .join('')
}

const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

function evaluate(pipeline: string, dot: unknown, variables: Variables): unknown {
  const [first = '', ...filters] = pipeline.split(' | ')
  const [, call, argument = first] = /^(toYaml) (.*)$/.exec(first) ?? []
  let value = lookUp(argument, dot, variables)
  if (call !== undefined) value = stringify(value).trimEnd()
  for (const filter of filters) {
    const [name = '', given = ''] = filter.split(' ')
    if (name === 'quote') value = JSON.stringify(String(value))
    else if (name === 'sha256sum') value = createHash('sha256').update(String(value)).digest('hex')
    else if (name === 'default') value = isTrue(value) ? value : lookUp(given, dot, variables)
    else if (name === 'nindent')
      value = `\n${String(value).replaceAll(/^(?=.)/gm, ' '.repeat(Number(given)))}`
    else throw new Error(`the filter ${filter}`)
  }
  return value
}

/** Looks up `.a.b`, `$.a.b`, `$name` or `.`. @throws Error if it does not exist, where Helm would print nothing */
function lookUp(path: string, dot: unknown, variables: Variables): unknown {
  if (path === '.') return dot
  const [, start = '', rest = ''] = /^(\$\w*|)((?:\.\w+)*)$/.exec(path) ?? []
  if (start === '' && rest === '') throw new Error(`the expression ${path}`)
  let value = start === '' ? dot : variables.get(start)
  for (const key of rest.split('.').slice(1)) {
    if (!Object.hasOwn(Object(value) as object, key)) throw new Error(`${path} is not defined`)
    value = (value as Scope)[key]
  }
  return value
}
