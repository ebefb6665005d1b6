import { Http, type HttpConfig } from '#lib/definition/executor-config/http.ts'
import { kindOf, membersOf, plainText, readJson, type JsonSpan } from '#lib/definition/values/json-text.ts'
import type { OutputMask, StepContext } from '../executor.ts'

const shownLengthMax = 200
const settingLengthMax = 1_048_576
const settingNames = new Set<string>(Object.keys(Http.entries))

/** A validated request. */
export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Undefined: only the time limit of the step applies. */
  readonly timeoutMs: number | undefined
  /** Print only the body. */
  readonly silent: boolean
  /** Print one JSON object. */
  readonly json: boolean
  /** Print the request line to standard error. */
  readonly debug: boolean
  readonly verifyTls: boolean
}

/**
 * Reads the request of an http step: `command` is a method and a URL; a `script` contains the configuration as JSON.
 * @throws Error that names the invalid value
 */
export function readRequest(context: StepContext): HttpRequest {
  const { commands, script, config } = context
  const given: HttpConfig & { body?: unknown } = { ...config, ...configIn(script) }
  const [line = ''] = commands
  const { method, url } = readLine(line, context.mask?.())
  addQuery(url, Object.entries(given.query ?? {}))
  const { timeout, body } = given
  const seconds = timeout === undefined || timeout === '' ? 0 : Number(timeout)
  if (!(seconds >= 0)) throw new Error(`timeout must be seconds, is ${JSON.stringify(timeout)}`)
  return {
    method: method.toUpperCase(),
    headers: { ...loginOf(url), ...given.headers },
    url,
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    timeoutMs: seconds === 0 ? undefined : seconds * 1_000,
    silent: given.silent ?? false,
    json: given.json ?? false,
    debug: given.debug ?? false,
    verifyTls: given.skipTLSVerify !== true,
  }
}

function readLine(line: string, mask: OutputMask | undefined): { method: string; url: URL } {
  const words = line.trim()
  const method = /^[A-Za-z]*/.exec(words)?.[0] ?? ''
  const address = words.slice(method.length)
  const url = method !== '' && /^\s/.test(address) ? URL.parse(address.trim()) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return { method, url }
  const bytes = Buffer.from(line)
  const shown = mask === undefined ? [bytes] : [mask.push(bytes), mask.end()]
  const start = JSON.stringify(Buffer.concat(shown).toString('utf8').slice(0, shownLengthMax))
  throw new Error(`command must be a method and an http or https address, is ${start}`)
}

/** Sets the query once, because each change of `searchParams` serializes all of it. */
function addQuery(url: URL, entries: readonly (readonly [string, string])[]): void {
  if (entries.length === 0) return
  const params = new URLSearchParams(url.search)
  for (const [name, value] of entries) params.append(name, value)
  url.search = params.toString()
}

/** For `https://name:password@host`, puts the login into a header; it must not appear in the URL of the request. */
function loginOf(url: URL): Record<string, string> {
  if (url.username === '') return {}
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}

/** Only the body may be large. It is sent as it is written, so it is never parsed. */
function configIn(script: string | undefined): HttpConfig {
  if (script === undefined) return {}
  const json = readJson(script)
  if (json === undefined || kindOf(json) !== 'object') {
    throw new Error('script of an http step must be its configuration as a JSON object')
  }
  const config: Record<string, unknown> = {}
  for (const [name, value] of membersOf(json)) {
    if (!settingNames.has(name)) continue
    if (name !== 'body') config[name] = settingOf(name, value)
    else config[name] = kindOf(value) === 'null' ? 'null' : plainText(value)
  }
  return config
}

function settingOf(name: string, { text, start, end }: JsonSpan): unknown {
  if (end - start > settingLengthMax) {
    throw new Error(`${name} in the script of an http step is longer than ${settingLengthMax} characters`)
  }
  return JSON.parse(text.slice(start, end))
}
