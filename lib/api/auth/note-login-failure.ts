import { addLoginFailure } from '#lib/audit/add-login-failures.ts'
import { limits } from '#lib/core/limits.ts'
import type { Database } from '#lib/db/client.ts'
import type { Log } from '#lib/telemetry/log.ts'
import type { Metrics } from '#lib/api/metrics/metrics.ts'

/** A credential that was refused. */
export interface RefusedLogin {
  readonly kind: 'password' | 'key'
  /** What the caller sent as the name; for a key its public part. Never the credential. */
  readonly name: string
  readonly address: string
  /** Whether the credential was looked at; otherwise there were too many wrong ones. */
  readonly wasChecked: boolean
}

export type NoteLoginFailure = (login: RefusedLogin) => Promise<void>

const shownLength = 64
const manyNames = '(many names)'
const manyAddresses = '(many addresses)'

/**
 * Makes the function that audits, logs and counts refused credentials. All of one name and address share an entry per
 * window. A guesser cannot fill the audit log: beyond a number of names, those of an address share one entry, and
 * beyond a number of entries, all addresses do.
 */
export function createLoginNotes(
  db: Database,
  { log, metrics, now }: { log: Pick<Log, 'warn' | 'error'>; metrics: Metrics; now: () => number },
): NoteLoginFailure {
  let window = 0
  let entries = new Map<string, Set<string>>()
  let total = 0

  function entryOf(name: string, address: string): { actor: string; address: string; isNew: boolean } {
    const current = Math.floor(now() / limits.loginFailures.windowMs)
    if (current !== window) [window, entries, total] = [current, new Map(), 0]
    const isSpent = total >= limits.loginEntriesMax
    const ofAddress = isSpent && !entries.has(address) ? manyAddresses : address
    const names = entries.get(ofAddress) ?? new Set()
    const isFull = isSpent || names.size >= limits.loginEntriesPerAddressMax
    const actor = isFull && !names.has(name) ? manyNames : name
    const isNew = !names.has(actor)
    if (isNew) total += 1
    entries.set(ofAddress, names.add(actor))
    return { actor, address: ofAddress, isNew }
  }

  return async ({ kind, name, address, wasChecked }) => {
    metrics.countLoginFailure(kind, wasChecked ? 'wrong' : 'limited')
    const { isNew, ...entry } = entryOf(shown(name), address)
    if (isNew) log.warn({ event: 'login.failed', kind, ...entry }, 'a credential was refused')
    const subject = JSON.stringify(['login', window, kind, entry.address, entry.actor])
    try {
      await addLoginFailure(db, { ...entry, kind, subject })
    } catch (error) {
      log.error({ event: 'audit.lost', kind, ...entry, error }, 'a refused login could not be recorded')
    }
  }
}

/** A name as the audit log shows it: short, and without characters that could forge or hide something. */
function shown(name: string): string {
  const clean = name.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
  return clean.length > shownLength ? `${clean.slice(0, shownLength).toWellFormed()}…` : clean
}
