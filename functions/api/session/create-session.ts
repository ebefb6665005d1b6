import { defineRoute, SignedIn } from '#lib/api/define-route.ts'
import { SessionAnswer, SignInBody } from '#lib/api/schemas/session.ts'
import { setCookie } from '#lib/api/auth/session-cookie.ts'
import { endSession } from '#lib/sessions/end-session.ts'

export const createSession = defineRoute({
  method: 'post',
  path: '/session',
  operationId: 'createSession',
  summary: 'Sign in with a password, an API key or a token; the response sets a cookie',
  access: 'session',
  status: 201,
  errors: ['bad_request', 'unauthorized', 'forbidden'],
  body: SignInBody,
  response: SessionAnswer,
  async handle({ body, caller, origin }, { db, signIn, showSession }) {
    const { caller: signedIn, session } = await signIn(body, origin.address)
    if (caller.basis && 'session' in caller.basis) await endSession(db, caller.basis.session.id)
    const headers = { 'set-cookie': setCookie(session.token, origin.isSecure) }
    return new SignedIn(showSession(signedIn), signedIn, headers)
  },
})
