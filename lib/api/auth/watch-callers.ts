import { findKeysInForce } from '#lib/api-keys/find-key.ts'
import { ServiceError } from '#lib/core/errors.ts'
import { limits } from '#lib/core/limits.ts'
import { roles, type Role } from '#lib/core/roles.ts'
import type { Database } from '#lib/db/client.ts'
import { findSessionsInForce } from '#lib/sessions/find-session.ts'
import { findLogins } from '#lib/users/find-login.ts'
import type { Caller } from './auth.ts'

/** The rights of a caller while a call lasts. */
export interface WatchedCaller {
  /** Aborted within seconds after the caller lost the rights that the call began with. */
  readonly lost: AbortSignal
  /** Ends the watch. */
  readonly release: () => void
}

export type WatchCaller = (caller: Caller) => WatchedCaller

/**
 * Watches the callers of calls that last. All of a process share three reads, of keys, users and sessions, every
 * `limits.callerCheckMs`; without such calls there are none.
 */
export function createCallerWatch(db: Database): WatchCaller {
  const watched = new Map<AbortController, Caller>()
  let timer: NodeJS.Timeout | undefined

  const checkSoon = (): void => {
    timer ??= setTimeout(() => {
      void check().finally(() => {
        timer = undefined
        if (watched.size > 0) checkSoon()
      })
    }, limits.callerCheckMs).unref()
  }

  async function check(): Promise<void> {
    try {
      const hasRights = await readRights(db, [...watched.values()])
      for (const [lost, caller] of watched) if (!hasRights(caller)) lost.abort()
    } catch {
      // The database is unreachable: the calls themselves notice, and the next check retries.
    }
  }

  return (caller) => {
    const lost = new AbortController()
    if (caller.basis !== undefined) {
      watched.set(lost, caller)
      checkSoon()
    }
    return { lost: lost.signal, release: () => void watched.delete(lost) }
  }
}

async function readRights(db: Database, callers: readonly Caller[]): Promise<(caller: Caller) => boolean> {
  const keyIds = callers.flatMap(({ basis }) => (basis && 'keyId' in basis ? [basis.keyId] : []))
  const sessionIds = callers.flatMap(({ basis }) => (basis && 'session' in basis ? [basis.session.id] : []))
  const names = callers.flatMap(({ user, basis }) =>
    user !== undefined && basis && 'passwordHash' in basis && !('session' in basis) ? [user] : [],
  )
  const [keys, logins, sessions] = await Promise.all([
    findKeysInForce(db, [...new Set(keyIds)]),
    findLogins(db, [...new Set(names)]),
    findSessionsInForce(db, [...new Set(sessionIds)]),
  ])
  const sessionOf = new Map(sessions.map((session) => [session.id, session]))
  const roleOfKey = new Map(keys.map(({ id, role }) => [id, role]))
  const asked = new Set(callers)
  return (caller) => {
    const { basis, user = '', role } = caller
    // Callers that arrived during the reads are checked next time.
    if (basis === undefined || !asked.has(caller)) return true
    if ('keyId' in basis) return isStill(role, roleOfKey.get(basis.keyId))
    const login = 'session' in basis ? sessionOf.get(basis.session.id) : logins.get(user)
    return login !== undefined && login.passwordHash === basis.passwordHash && isStill(role, login.role)
  }
}

/** A higher role removes no rights. */
const isStill = (before: Caller['role'], now: Role | undefined): boolean =>
  now !== undefined &&
  before !== undefined &&
  before !== 'clock' &&
  roles.indexOf(now) >= roles.indexOf(before)

/**
 * Answers a call that may last as long as the caller keeps the rights for it: then the answer breaks off.
 * @param answer gets a signal that is aborted when they are lost
 */
export async function whileAllowed(
  { lost, release }: WatchedCaller,
  answer: (lost: AbortSignal) => Promise<Response>,
): Promise<Response> {
  try {
    const { body, status, headers } = await answer(lost)
    if (body !== null) return new Response(untilLost(body, { lost, release }), { status, headers })
    release()
    return new Response(null, { status, headers })
  } catch (error) {
    release()
    throw error
  }
}

/** The same bytes, as the client takes them; an error once the rights are lost. */
function untilLost(
  body: ReadableStream<Uint8Array>,
  { lost, release }: WatchedCaller,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const end = async (): Promise<void> => {
    release()
    await reader.cancel()
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const breakOff = (): void => {
          controller.error(new ServiceError('unauthorized', 'the credential is not valid any more'))
          void end().catch(() => undefined)
        }
        if (lost.aborted) breakOff()
        else lost.addEventListener('abort', breakOff, { once: true })
      },
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          release()
          controller.close()
        } catch (error) {
          release()
          throw error
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
