import type { HttpConfig } from '#lib/definition/executor-config/http.ts'
import type { StepContext } from '../executor.ts'

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
export function readRequest({ commands, script, config }: StepContext): HttpRequest {
  const given: HttpConfig & { body?: unknown } = { ...config, ...configIn(script) }
  const line = (commands[0] ?? '').trim()
  const [method = ''] = /^[A-Za-z]+(?=\s)/.exec(line) ?? []
  const url = readAddress(method === '' ? '' : line.slice(method.length).trim(), line)
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

function readAddress(address: string, line: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const shown = JSON.stringify(line.slice(0, 200))
  throw new Error(`command must be a method and an http or https address, is ${shown}`)
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

function configIn(script: string | undefined): HttpConfig {
  if (script === undefined) return {}
  try {
    const value: unknown = JSON.parse(script)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw new Error('script of an http step must be its configuration as a JSON object')
}
