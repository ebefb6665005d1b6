import { literalText } from '#lib/definition/values/literal-text.ts'
import type { Combination } from './matrix.ts'
import { textOf, type Plain } from '../plain-value.ts'

/** What expressions of a job refer to. */
export interface Context {
  readonly matrix: Combination
  /** Expressions that nothing here can replace. */
  readonly unknown: Set<string>
  /** Names of secrets that occur. */
  readonly secrets: Set<string>
}

const lengthMax = 500

/** The name of a variable of the environment for any name. */
export const variableOf = (name: string): string => name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_')

/**
 * Replaces `${{ … }}`: values of the matrix by themselves; inputs, variables and secrets by a reference to a variable
 * of that name. Others stay as they are written.
 */
export function fillExpressions(text: string, context: Context): string {
  return text
    .split(/(\$\{\{[^}]{0,500}\}\})/)
    .map((part) => (part.startsWith('${{') && part.length < lengthMax ? valueOf(part, context) : part))
    .join('')
}

/** The text of a variable: references that a DAG knows stay, everything else is literal. */
export function envText(value: Plain | undefined, context: Context): string {
  return textOf(value)
    .split(/(\$\{\{[^}]{0,500}\}\})/)
    .map((part) => (part.startsWith('${{') ? fillExpressions(part, context) : literalText(part)))
    .join('')
}

function valueOf(written: string, { matrix, unknown, secrets }: Context): string {
  const expression = written.slice(3, -2).trim()
  const [, scope = '', name = ''] =
    /^(matrix|env|inputs|github\.event\.inputs|vars|secrets)\.([\w.-]+)$/.exec(expression) ?? []
  if (scope === 'matrix') {
    const value = name
      .split('.')
      .reduce<Plain | undefined>((at, key) => (Object(at) as Record<string, Plain>)[key], matrix as Plain)
    if (value !== undefined && typeof value !== 'object') return textOf(value)
  } else if (scope !== '') {
    if (scope === 'secrets') secrets.add(variableOf(name))
    return `\${${variableOf(name)}}`
  }
  unknown.add(written)
  return written
}
