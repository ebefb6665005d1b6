import { readGivenParams, readParamText } from '#lib/definition/params/read-params.ts'
import { paramsText } from '#lib/definition/params/params-text.ts'
import type { ParamDefault } from '#lib/definition/definition.ts'
import { expand, isLiteral } from '#lib/definition/values/expand.ts'
import { bounded } from '#lib/definition/values/reference.ts'
import type { CommandRunner, Scope } from '#lib/definition/values/scope.ts'

const oneReference = /^\s*\$(\{[^{}]+\}|[A-Za-z_][\w.[\]]*|\d+)\s*$/

/**
 * Expands the params of a child call. The text is split into params before expansion, so a value with blanks, quotes or
 * `=` stays one value. Only a text that is exactly one reference is passed on as it is: then the value is meant to be
 * the params.
 * @returns params in the form in which a caller of the API gives them
 */
export async function childParams(text: string, scope: Scope, run: CommandRunner): Promise<string> {
  if (oneReference.test(text)) return expand(text, scope, run)
  const within = bounded(scope)
  const params = /^\s*[{[]/.test(text) ? readGivenParams(text) : readParamText(text)
  const filled: ParamDefault[] = []
  for (const { name, value } of params) {
    filled.push({ name, value: isLiteral(value) ? value : await expand(value, within, run) })
  }
  return paramsText(filled)
}
