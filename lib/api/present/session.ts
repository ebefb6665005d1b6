import { limits } from '#lib/core/limits.ts'
import { mayDo, type Authenticator, type Caller } from '#lib/api/auth/auth.ts'
import { timestamp } from './timestamp.ts'

/** What the page needs to know at its start. */
export interface SessionView {
  readonly authenticator: Pick<Authenticator, 'isRequired'>
  readonly version: string
  readonly zone: string
  readonly nodes: readonly string[]
}

const methods = ['password', 'token'] as const

const shownLimits = {
  specBytes: limits.specBytesMax,
  paramsBytes: limits.paramsBytesMax,
  logLines: limits.logLinesMax,
  logBytes: limits.logWindowBytesMax,
  dagsPerPage: limits.dagsPerPageMax,
  runsPerPage: limits.runsPerPageMax,
  eventStreams: limits.eventStreamsPerCallerMax,
}

/** Who calls and what they may do. Strangers learn how to sign in, and no names. */
export function presentSession(caller: Caller, { authenticator, version, zone, nodes }: SessionView) {
  const { name, role, basis } = caller
  const isKnown = role !== undefined && role !== 'clock'
  const can = {
    read: mayDo(caller, 'read'),
    run: mayDo(caller, 'run'),
    write: mayDo(caller, 'write'),
    admin: mayDo(caller, 'admin'),
  }
  return {
    authRequired: authenticator.isRequired,
    methods: authenticator.isRequired ? [...methods] : [],
    ...(isKnown && { name, role }),
    ...(basis !== undefined && 'session' in basis && endOf(basis.session)),
    version,
    instance: { zone },
    nodes: can.read ? [...nodes] : [],
    can,
    limits: shownLimits,
  }
}

const endOf = ({ expiresAt }: { readonly expiresAt: number }) => ({
  expiresAt: timestamp(expiresAt),
  expiresAtMs: Math.floor(expiresAt),
})
