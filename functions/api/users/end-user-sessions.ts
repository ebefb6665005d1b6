import { defineRoute } from '#lib/api/define-route.ts'
import { EndedSessions, UserPath } from '#lib/api/schemas/access.ts'
import { endUserSessions as end } from '#lib/sessions/end-user-sessions.ts'

export const endUserSessions = defineRoute({
  method: 'delete',
  path: '/users/{username}/sessions',
  operationId: 'endUserSessions',
  summary: 'Sign a user out everywhere; keys and password stay valid',
  access: 'admin',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: UserPath,
  response: EndedSessions,
  async handle({ params, noteChanges }, { db }) {
    const ended = await end(db, params.username)
    noteChanges([{ field: 'sessions', before: String(ended), after: '0' }])
    return { ended }
  },
})
