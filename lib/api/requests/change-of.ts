import type { Caller } from '#lib/api/auth/auth.ts'
import { ownHeader } from '#lib/api/auth/session-cookie.ts'
import type { Change } from '#lib/dags/change.ts'

/** Whose change of a DAG a call makes: the page and the command line say what they are. */
export function changeOf(caller: Caller, headers: Headers, message?: string): Change {
  const said = headers.get(ownHeader)
  const source = said === 'cli' ? 'cli' : said === null ? 'api' : 'page'
  return {
    source,
    by: caller.isAnonymous === true ? undefined : caller.name,
    message: message?.trim() || undefined,
  }
}
