import type { ParamDefault } from '#lib/definition/definition.ts'
import { quoteValue } from './params-text.ts'

/** Params of a run as clients show them: `1=p1 2=p2 NAMED=v3`. For people only: blanks in values are not quoted. */
export function displayParams(params: readonly { readonly name: string; readonly value: string }[]): string {
  return params.map(({ name, value }) => `${name}=${value}`).join(' ')
}

/** Default params in an editable form: `1="p1" NAMED="v"`. `readParamText` parses it back exactly. */
export function defaultParamsText(defaults: readonly ParamDefault[]): string {
  return defaults.map(({ name, value }, index) => `${name ?? index + 1}=${quoteValue(value)}`).join(' ')
}
