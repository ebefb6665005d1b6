import { defineRoute, NoContent } from '#lib/api/define-route.ts'
import { clearCookie } from '#lib/api/auth/session-cookie.ts'
import { endSession } from '#lib/sessions/end-session.ts'

export const deleteSession = defineRoute({
  method: 'delete',
  path: '/session',
  operationId: 'deleteSession',
  summary: 'Sign out: end the session of the cookie on all instances',
  access: 'session',
  status: 204,
  errors: ['forbidden'],
  async handle({ caller, origin }, { db }) {
    if (caller.basis && 'session' in caller.basis) await endSession(db, caller.basis.session.id)
    // Browsers also keep pages in the back/forward cache.
    return new NoContent({
      'set-cookie': clearCookie(origin.isSecure),
      'clear-site-data': '"cache"',
    })
  },
})
