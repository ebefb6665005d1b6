import { signal, type Signal } from '@preact/signals'
import { CallFailure, messageOf } from './call.ts'

export interface Who {
  readonly name: string
  readonly role: string
  readonly isSignedIn: boolean
  readonly can: Rights
}

/** What the role allows. */
export interface Rights {
  /** Start, stop and retry runs, and set the states of steps. */
  readonly run: boolean
  /** Change DAGs. */
  readonly write: boolean
  /** Manage users, keys, queues and runners, and see the health of the service. */
  readonly admin: boolean
}

/** A user with a password, or an API key or token. */
export type Credential = { readonly username: string; readonly password: string } | { readonly token: string }

export interface Session {
  readonly who: Signal<Who>
  /** The service requires a credential. A user who was signed in still sees the page. */
  readonly mustSignIn: Signal<boolean>
  readonly version: Signal<string>
  /** The default time zone of schedules; empty until the service has answered. */
  readonly zone: Signal<string>
  /** Asks the service who is signed in, and whether signing in is required. */
  readonly read: () => Promise<void>
  /** @throws CallFailure when the credential is wrong */
  readonly signIn: (credential: Credential) => Promise<void>
  readonly signOut: () => Promise<void>
}

interface SessionAnswer {
  readonly authRequired?: boolean
  readonly name?: string | null
  readonly role?: string | null
  readonly can?: Rights
  readonly version?: string
  readonly instance?: { readonly zone?: string }
}

interface Deps {
  /** Of the page. */
  readonly base: URL
  readonly send: (request: Request) => Promise<Response>
  readonly mustSignIn: Signal<boolean>
  /** Called when another user has signed in, or the user has signed out: cached data is not for them. */
  readonly forget: () => void
}

/** Unknown permissions: the service decides when it is called. */
const all: Rights = { run: true, write: true, admin: true }
const nobody: Who = { name: '', role: '', isSignedIn: false, can: all }

/** The session is a cookie that scripts cannot read; the page knows only what the service says about it. */
export function createSession({ base, send, mustSignIn, forget }: Deps): Session {
  const who = signal<Who>(nobody)
  const version = signal('')
  const zone = signal('')
  const url = new URL('api/v2/session', base)

  async function read(): Promise<void> {
    const answer = await send(new Request(url))
    // Without sessions the service requires no credential.
    if (!answer.ok) return
    const said = (await answer.json()) as SessionAnswer
    const { authRequired = false, name, role, can = all } = said
    version.value = said.version ?? ''
    zone.value = said.instance?.zone ?? ''
    if (name === undefined || name === null || name === '') {
      // An expired session is not a sign-out: the page stays.
      mustSignIn.value = authRequired
      return
    }
    if (who.value.isSignedIn && who.value.name !== name) {
      forget()
      return location.reload()
    }
    who.value = { name, role: role ?? '', isSignedIn: authRequired, can }
    mustSignIn.value = false
  }

  async function signIn(credential: Credential): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(credential)
    const answer = await send(new Request(url, { method: 'POST', headers, body }))
    if (!answer.ok) {
      const said: unknown = await answer.json().catch(() => undefined)
      const requestId = answer.headers.get('x-request-id') ?? ''
      throw new CallFailure(messageOf(said, answer.status), answer.status, requestId)
    }
    await read()
  }

  async function signOut(): Promise<void> {
    await send(new Request(url, { method: 'DELETE' }))
    who.value = nobody
    forget()
    mustSignIn.value = true
  }
  return { who, mustSignIn, version, zone, read, signIn, signOut }
}
