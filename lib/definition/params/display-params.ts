import type { ParamDefault } from '#lib/definition/definition.ts'
import { quoteValue } from './params-text.ts'

/** As clients show the params of a run: `1=p1 2=p2 NAMED=v3`. For reading only: blanks in values are not marked. */
export function displayParams(params: readonly { readonly name: string; readonly value: string }[]): string {
  return params.map(({ name, value }) => `${name}=${value}`).join(' ')
}

/** As clients offer the defaults for editing: `1="p1" NAMED="v"`. `readParamText` reads it back exactly. */
export function defaultParamsText(defaults: readonly ParamDefault[]): string {
  let place = 0
  return defaults
    .map(({ name, value }) => {
      if (name === undefined) place += 1
      return `${name ?? place}=${quoteValue(value)}`
    })
    .join(' ')
}
