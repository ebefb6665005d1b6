import * as v from 'valibot'
import { fields, flag, mapOf, text, textMap } from '../schema/words.ts'

export const Http = fields('the config of an http step', {
  headers: v.optional(textMap),
  query: v.optional(textMap),
  body: v.optional(v.union([text, mapOf(v.any(), 'a map'), v.array(v.any())], 'a text')),
  timeout: v.optional(
    v.union([v.pipe(v.number(), v.minValue(0, 'seconds, from 0 on')), v.string()], 'seconds, from 0 on'),
  ),
  silent: v.optional(flag),
  debug: v.optional(flag),
  json: v.optional(flag),
  skipTLSVerify: v.optional(flag),
})

/** The config as the executor receives it. `timeout` is in seconds: a number, or a text with a variable. */
export interface HttpConfig {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeout?: number | string
  readonly silent?: boolean
  readonly debug?: boolean
  readonly json?: boolean
  readonly skipTLSVerify?: boolean
}
