import * as v from 'valibot'
import { invariant } from '#lib/core/errors.ts'
import { answerInTime } from '#lib/api/requests/answer-in-time.ts'
import { Answer, Json, NoContent, type Route } from '#lib/api/define-route.ts'
import { jsonAnswer, type AskedForm } from './json-answer.ts'
import { LogText, logTextBody } from '#lib/api/logs/log-text.ts'
import { ndjson, Rows, rowsBody } from './rows.ts'
import { Streamed, streamedBody } from './streamed.ts'
import type { TakeSlot } from '#lib/api/requests/share-slots.ts'

export interface SendOptions {
  /** Parses every answer with the schema of its route and throws when it does not fit. */
  readonly checkResponses: boolean
  /** Milliseconds until a call is given up. */
  readonly answerMsMax: number
  /** Bounds how many logs are sent at the same time. */
  readonly takeLogReader: TakeSlot
}

/**
 * Turns what an endpoint returned into a response.
 * @param from.form what the request says about the form of the answer
 * @param from.sharer whoever a bound for one caller counts
 */
export async function sendAnswer(
  route: Route,
  outcome: unknown,
  from: { readonly form: AskedForm; readonly sharer: string | undefined },
  options: SendOptions,
): Promise<Response> {
  if (outcome instanceof Rows) return await sendRows(route, outcome, from.form, options)
  if (outcome instanceof LogText) {
    if (options.checkResponses) checkResponse(route, outcome.shape(''))
    const body = logTextBody(outcome, options.takeLogReader(from.sharer))
    const inTime = await answerInTime(body, options.answerMsMax).catch((error: unknown) => {
      void body.then((late) => late.cancel()).catch(() => undefined)
      throw error
    })
    return new Response(inTime, { headers: { 'content-type': 'application/json' } })
  }
  if (outcome instanceof Streamed) {
    const release = (outcome.take ?? options.takeLogReader)(from.sharer)
    return new Response(streamedBody(outcome, release), { headers: outcome.headers })
  }
  if (outcome instanceof Json) {
    if (options.checkResponses) checkResponse(route, JSON.parse(outcome.text))
    return await jsonAnswer(outcome.text, { status: route.status, headers: new Headers() }, from.form)
  }
  const answer = outcome instanceof Answer ? outcome : new Answer<unknown>(outcome, {})
  if (options.checkResponses && !(answer instanceof NoContent)) checkResponse(route, answer.body)
  const headers = new Headers(answer.headers)
  const status = answer.status ?? route.status
  if (status === 204) return new Response(null, { status, headers })
  if (route.response === undefined) {
    headers.set('content-length', '0')
    return new Response(null, { status, headers })
  }
  const type = route.responseType ?? 'application/json'
  if (type === 'application/json') {
    return await jsonAnswer(JSON.stringify(answer.body), { status, headers }, from.form)
  }
  headers.set('content-type', type)
  const isText = typeof answer.body === 'string'
  return new Response(isText ? answer.body : JSON.stringify(answer.body), { status, headers })
}

async function sendRows(
  route: Route,
  rows: Rows,
  form: AskedForm,
  { checkResponses, answerMsMax }: SendOptions,
): Promise<Response> {
  const asLines = form.accept?.includes(ndjson) ?? false
  const check = (page: readonly object[]): void => {
    if (checkResponses) checkResponse(route, { [rows.field]: page, ...rows.rest })
  }
  const body = await answerInTime(rowsBody(rows, { asLines, check }), answerMsMax)
  if (!asLines && Array.isArray(rows.pages)) {
    return await jsonAnswer(await new Response(body).text(), { status: 200, headers: new Headers() }, form)
  }
  return new Response(body, { headers: { 'content-type': asLines ? ndjson : 'application/json' } })
}

/** In tests only: the answer must match the schema exactly, without missing or extra fields. */
function checkResponse(route: Route, body: unknown): void {
  if (route.response === undefined)
    return invariant(body === undefined, `${route.operationId} has no response`)
  const wire: unknown = JSON.parse(JSON.stringify(body))
  const parsed = v.parse(route.response, wire)
  invariant(
    JSON.stringify(sortKeys(parsed)) === JSON.stringify(sortKeys(wire)),
    `${route.operationId} answers with fields that its schema does not have`,
  )
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
