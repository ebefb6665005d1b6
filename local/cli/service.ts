import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import {
  createClient,
  type Answer,
  type Arguments,
  type ClientOptions,
  type OperationId,
} from '#lib/client/client.ts'
import { readEvents, type ReceivedEvent } from '#lib/client/read-events.ts'
import { settings } from '#lib/config/settings/all.ts'
import { messageOf } from '#lib/core/errors.ts'
import { codeOf } from '#lib/db/errors.ts'
import { defineCommand, utcOption, UsageError, type Command, type Input, type Options } from './command.ts'

/** URL of the service and its credentials. */
export const placeOptions = {
  url: { value: 'URL', about: `the service (MILLRACE_URL; ${settings.MILLRACE_URL.default})` },
  key: { value: 'KEY', about: 'API key or token (MILLRACE_API_KEY; or MILLRACE_USER and MILLRACE_PASSWORD)' },
} as const satisfies Options

/** Help text about these options for commands that work without a service. */
export const placeDetails = 'Without a service, steps may call the DAGs of files in the same folder.'

const serviceOptions = { ...placeOptions, utc: utcOption } as const satisfies Options

type Body<Id extends OperationId> = Extract<Answer<Id>, { status: 200 | 201 | 204 }>['body']
type StreamId = 'followDagRun' | 'followDagRunLog' | 'followStepLog'

/** A service anywhere, called through the typed client. */
export interface Service {
  /** The docs of the service. */
  readonly docsUrl: string
  /**
   * Calls an operation and returns the response body.
   * @throws Refusal when the service refuses, Error when it cannot be reached
   */
  readonly ask: <Id extends OperationId>(id: Id, ...request: Arguments<Id>) => Promise<Body<Id>>
  /** Like `ask`, but sends request headers and returns the response headers too. */
  readonly exchange: <Id extends OperationId>(
    headers: Readonly<Record<string, string>>,
    id: Id,
    ...request: Arguments<Id>
  ) => Promise<{ readonly headers: Headers; readonly body: Body<Id> }>
  /**
   * Reads events up to the last one. When the connection breaks, or the service ends it, it reconnects and continues.
   */
  readonly follow: <Id extends StreamId>(
    id: Id,
    ...request: Arguments<Id>
  ) => AsyncGenerator<ReceivedEvent, void>
}

/** The service answered with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface ServiceCommand<O extends Options> extends Omit<Command<O>, 'run'> {
  run(input: Input<O>, service: Service): Promise<number | void>
}

/** Defines a command that talks to a service. */
export function defineServiceCommand<const O extends Options>(command: ServiceCommand<O>): Command {
  return defineCommand({
    ...command,
    options: { ...command.options, ...serviceOptions },
    // The parsed options are those of both.
    run: (input) =>
      command.run(input as unknown as Input<O>, openService(input.options as ServiceAddress, process.env)),
  })
}

const answerMsMax = 60_000
const retryMs = 1_000
const retriesMax = 60

type ServiceAddress = Partial<Pick<Input<typeof serviceOptions>['options'], 'url' | 'key'>>

/** The service that the options or the environment name; undefined when neither names one. */
export function namedService(given: ServiceAddress): Service | undefined {
  return given.url || process.env['MILLRACE_URL'] ? openService(given, process.env) : undefined
}

/** The service named by the options, otherwise by the environment. */
export function openService(
  given: ServiceAddress,
  environment: NodeJS.ProcessEnv,
  fetch: (request: Request, url: string) => Promise<Response> = send,
): Service {
  const url = readUrl(given.url, environment['MILLRACE_URL'])
  const authorization = authorizationOf(given.key, environment)
  return serviceOver({
    baseUrl: `${url}/api/v2`,
    ...(authorization !== undefined && { authorization }),
    fetch: (request) => fetch(request, url),
  })
}

/** A service behind the typed client. */
export function serviceOver(options: ClientOptions & Required<Pick<ClientOptions, 'fetch'>>): Service {
  const exchange: Service['exchange'] = async (headers, id, ...request) => {
    const call = createClient({
      ...options,
      fetch: (sent) => {
        sent.headers.set('x-millrace', 'cli')
        for (const [name, value] of Object.entries(headers)) sent.headers.set(name, value)
        return options.fetch(sent)
      },
    })
    const answer = await call(id, ...request)
    if (answer.status < 300) return answer
    throw refusalOf(answer)
  }
  return {
    docsUrl: options.baseUrl.replace(/\/api\/v2$/, '/docs'),
    exchange,
    ask: async (id, ...request) => (await exchange({}, id, ...request)).body,
    follow: async function* (id, ...request) {
      let last: string | undefined
      let isOpened = false
      for (let retries = 0; ; retries++) {
        try {
          const headers = last === undefined ? {} : { 'last-event-id': last }
          const { body: stream } = await exchange(headers, id, ...request)
          if (stream === undefined) return
          isOpened = true
          for await (const event of readEvents(stream)) {
            retries = 0
            last = event.id
            yield event
            if (event.event === 'end') return
          }
        } catch (error) {
          const isLasting = error instanceof Refusal && error.status !== 503
          if (!isOpened || isLasting || retries >= retriesMax) throw error
        }
        await pause(retryMs)
      }
    },
  }
}

function readUrl(option: string | undefined, setting: string | undefined): string {
  const [name, text] =
    option === undefined ? ['MILLRACE_URL', setting || settings.MILLRACE_URL.default] : ['--url', option]
  const reading = v.safeParse(settings.MILLRACE_URL.schema, text)
  if (!reading.success) throw new UsageError(`${name}=${JSON.stringify(text)}: ${reading.issues[0].message}`)
  return reading.output.replace(/(?<!\/)(\/api\/v2)?\/*$/, '')
}

function authorizationOf(key: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const token = key ?? (environment['MILLRACE_API_KEY'] || undefined)
  const { MILLRACE_USER: user, MILLRACE_PASSWORD: password } = environment
  if (token !== undefined) {
    if (/^[!-~]+$/.test(token)) return `Bearer ${token}`
    throw new UsageError(
      '--key or MILLRACE_API_KEY: must contain only letters, digits and punctuation, no blanks',
    )
  }
  return user ? `Basic ${Buffer.from(`${user}:${password ?? ''}`, 'utf8').toString('base64')}` : undefined
}

/** Limits only the time until a response begins, because a stream may continue forever. */
async function send(request: Request, url: string): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new Error(`no answer within ${answerMsMax / 1000} s`)),
    answerMsMax,
  )
  try {
    return await fetch(request, { signal: late.signal })
  } catch (error) {
    const why = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new Error(
      `the service at ${url} cannot be reached: ${messageOf(why) || codeOf(why)}; is it running (millrace up), ` +
        'or elsewhere (--url, MILLRACE_URL)?',
      { cause: error },
    )
  } finally {
    clearTimeout(timer)
  }
}

function refusalOf({ status, body }: { readonly status: number; readonly body: unknown }): Refusal {
  const { message } = Object(body) as { readonly message?: unknown }
  const text = typeof message === 'string' ? message : `the service answers with status ${status}`
  return new Refusal(status, status === 401 ? `${text} (--key, MILLRACE_API_KEY)` : text)
}
