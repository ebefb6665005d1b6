import * as v from 'valibot'
import { readTextMap } from '../dag/environment.ts'
import type { Position } from '../reading/position.ts'
import { readShape } from '../reading/shape.ts'
import { fields, flag, mapOf, text, textMap } from '../schema/words.ts'
import { ordinary } from './ordinary.ts'
import { lenient, type ConfigPosition, type ExecutorRecord } from './record.ts'

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

export const http: ExecutorRecord = {
  spellings: [],
  description: 'sends a request',
  config: Http,
  command: 'one',
  script: 'data',
  texts: 'request',
  lacking: 'needs command, a method and an address such as GET https://example.org',
  checkCommand: checkRequest,
  readConfig,
}

function checkRequest(line: string, position: Position): void {
  if (/^[A-Za-z]+\s+\S/.test(line) || line.startsWith('$')) return
  const shown = JSON.stringify(line.slice(0, 60))
  position.fault(`must be a method and an address, such as GET https://example.org, is ${shown}`)
}

function readConfig({ at }: ConfigPosition): HttpConfig {
  const { value: raw = {}, position } = readShape(Http, at, lenient)
  const { headers, query, body, ...rest } = raw
  if (typeof rest.timeout === 'string' && !/^\s*\d+(?:\.\d+)?\s*$|\$/.test(rest.timeout)) {
    position.at('timeout').fault(`must be seconds, is ${JSON.stringify(rest.timeout.slice(0, 60))}`)
  }
  return {
    ...ordinary(rest),
    ...(headers !== undefined && { headers: readTextMap(position.at('headers')) }),
    ...(query !== undefined && { query: readTextMap(position.at('query')) }),
    ...(body !== undefined && { body: position.at('body').text }),
  }
}
