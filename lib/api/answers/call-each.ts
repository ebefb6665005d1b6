import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import type { MadeCall, Route, RouteInput } from '#lib/api/define-route.ts'
import { idempotencyKey } from '#lib/api/requests/idempotency-key.ts'
import type { Services } from '#lib/api/services.ts'
import { checkAccess } from '#lib/api/auth/auth.ts'
import { asServiceError, errorStatuses } from './error-body.ts'
import { textDigest } from './text-digest.ts'

type Params = Readonly<Record<string, string>>
type Given = Omit<
  RouteInput<undefined, undefined, undefined>,
  'params' | 'query' | 'body' | 'noteChanges'
> & {
  readonly body: unknown
}

/** The result of one item: the answer that a call for it alone would have got. */
export interface Outcome {
  readonly status: number
  readonly answer: unknown
  readonly failure: ServiceError | undefined
}

type OneCall = Outcome & Pick<MadeCall, 'changes'> & { readonly route: Route }

/** What an item answers besides its name. */
export const shownOutcome = ({ status, failure }: Outcome) => ({
  status,
  ...(failure !== undefined && { code: failure.code, message: failure.message }),
})

export const countOutcomes = (outcomes: readonly Outcome[]) => {
  const done = outcomes.filter(({ failure }) => failure === undefined).length
  return { done, failed: outcomes.length - done }
}

/** Items processed at the same time; few enough that other calls do not wait for a connection. */
const atOnce = 4

/**
 * Calls a route once for each item, with the access, the idempotency and the audit entry of a call of its own. After
 * `limits.batchMsMax` no further item is started, and the rest answers 503: a repeated call continues.
 * @param routes where the first answers `not_running`, the others are tried; the failure of the first counts
 * @returns the outcomes in the order of the items, and the calls as the audit log has them
 */
export async function callEach(
  routes: readonly [Route, ...Route[]],
  items: readonly Params[],
  given: Given,
  services: Services,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly calls: readonly MadeCall[] }> {
  for (const { access } of routes) checkAccess(given.caller, access)
  const begun = performance.now()
  const outcomes: Outcome[] = []
  const calls: MadeCall[] = []
  const waiting = items.entries()
  async function work(): Promise<void> {
    for (const [index, params] of waiting) {
      const isLate = performance.now() - begun > limits.batchMsMax
      const { route, changes, ...outcome } = isLate ? tooLate(routes[0]) : await callOne(params)
      outcomes[index] = outcome
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
      calls[index] = { route, path, changes, status: outcome.status, failure: outcome.failure }
    }
  }
  async function callOne(params: Params): Promise<OneCall> {
    let changes: MadeCall['changes'] = []
    const noteChanges = (noted: MadeCall['changes']): void => void (changes = noted)
    const input = { ...given, params, query: undefined, headers: headersOf(params), noteChanges }
    let first: OneCall | undefined
    for (const route of routes) {
      try {
        const answer = await route.handle(input, services)
        return { route, changes, status: route.status, answer, failure: undefined }
      } catch (error) {
        const failure = asServiceError(error)
        first ??= { route, changes, status: statusOf(route, failure), answer: undefined, failure }
        if (first.failure?.code !== 'not_running') break
      }
    }
    return first ?? tooLate(routes[0])
  }
  /** An item has a key of its own: two files may have one DAG name. */
  function headersOf(params: Params): Headers {
    const headers = new Headers(given.headers)
    const key = idempotencyKey(headers, 'batch')
    if (key !== undefined) headers.set('idempotency-key', textDigest(JSON.stringify([key, params])))
    return headers
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { outcomes, calls }
}

const statusOf = ({ errorStatus }: Route, { code }: ServiceError): number =>
  errorStatus?.[code] ?? errorStatuses[code]

function tooLate(route: Route): OneCall {
  const failure = new ServiceError('service_unavailable', 'there was no time left; call again')
  return { route, changes: [], status: errorStatuses.service_unavailable, answer: undefined, failure }
}
