import { readGivenParams, readParamText } from '#lib/definition/params/read-params.ts'
import { paramsText } from '#lib/definition/params/params-text.ts'
import type { ParamDefault } from '#lib/definition/definition.ts'
import { expand } from '#lib/definition/values/expand.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'

const oneReference = /^\s*\$(\{[^{}]+\}|[A-Za-z_][\w.[\]]*|\d+)\s*$/

/**
 * Puts values into the params of a child call. The text is taken apart before values are put in, so that a value
 * with blanks, quotes or `=` stays one value of one param. Only a text that is nothing but one reference is handed
 * on as it comes, because then the value is meant to be the params.
 * @returns what a caller of the API would give
 */
export async function childParams(text: string, scope: Scope, run: CommandRunner): Promise<string> {
  if (oneReference.test(text)) return expand(text, scope, run)
  const params = /^\s*[{[]/.test(text) ? readGivenParams(text) : readParamText(text)
  const filled: ParamDefault[] = []
  for (const { name, value } of params) filled.push({ name, value: await expand(value, scope, run) })
  return paramsText(filled)
}

/** The params of a fan-out's child when the call gives none: an object by its members, everything else as `$1`. */
export function itemParams(item: string): string {
  return /^\s*\{/.test(item) && isObject(item) ? item : paramsText([{ name: undefined, value: item }])
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
