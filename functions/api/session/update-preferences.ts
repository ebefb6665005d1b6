import { badRequest } from '#lib/core/errors.ts'
import { ownUser } from '#lib/api/auth/own-user.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { PreferencesBody } from '#lib/api/schemas/session.ts'
import { savePreferences } from '#lib/users/preferences.ts'

export const updatePreferences = defineRoute({
  method: 'put',
  path: '/session/preferences',
  operationId: 'updatePreferences',
  summary: 'Store the preferences of the calling user',
  access: 'session',
  status: 204,
  errors: ['bad_request', 'forbidden'],
  body: PreferencesBody,
  async handle({ body, caller }, { db }) {
    const user = ownUser(caller)
    const isStored = user !== undefined && (await savePreferences(db, user, body))
    if (!isStored) throw badRequest('preferences are stored only for users who sign in with a password')
  },
})
