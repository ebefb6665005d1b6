import { signal, type Signal } from '@preact/signals'
import { CallFailure, messageOf } from './call.ts'

export interface Who {
  readonly name: string
  readonly role: string
  readonly isSignedIn: boolean
}

export interface Session {
  readonly who: Signal<Who>
  readonly mustSignIn: Signal<boolean>
  /** Asks the service who calls, and whether it wants to know. */
  readonly read: () => Promise<void>
  /** @throws CallFailure when user or password is wrong */
  readonly signIn: (user: string, password: string) => Promise<void>
  readonly signOut: () => Promise<void>
}

interface SessionAnswer {
  readonly authRequired?: boolean
  readonly name?: string | null
  readonly role?: string | null
}

const nobody: Who = { name: '', role: '', isSignedIn: false }

/** The session is a cookie that scripts cannot read; the page knows only what the service says about it. */
export function createSession(
  base: URL,
  send: (request: Request) => Promise<Response>,
  mustSignIn: Signal<boolean>,
): Session {
  const who = signal<Who>(nobody)
  const place = new URL('api/v2/session', base)

  async function read(): Promise<void> {
    const answer = await send(new Request(place))
    // A service without sessions asks nobody.
    if (!answer.ok) return
    const { authRequired = false, name, role } = (await answer.json()) as SessionAnswer
    who.value =
      name === undefined || name === null || name === ''
        ? nobody
        : { name, role: role ?? '', isSignedIn: authRequired }
    mustSignIn.value = authRequired && !who.value.isSignedIn
  }

  async function signIn(user: string, password: string): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ username: user, password })
    const answer = await send(new Request(place, { method: 'POST', headers, body }))
    if (!answer.ok) {
      const said: unknown = await answer.json().catch(() => undefined)
      const requestId = answer.headers.get('x-request-id') ?? ''
      throw new CallFailure(messageOf(said, answer.status), answer.status, requestId)
    }
    mustSignIn.value = false
    await read()
  }

  async function signOut(): Promise<void> {
    await send(new Request(place, { method: 'DELETE' }))
    who.value = nobody
    mustSignIn.value = true
  }
  return { who, mustSignIn, read, signIn, signOut }
}
