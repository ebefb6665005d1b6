import { ownUser } from '#lib/api/auth/own-user.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { PreferencesAnswer } from '#lib/api/schemas/session.ts'
import { readPreferences } from '#lib/users/preferences.ts'

export const getPreferences = defineRoute({
  method: 'get',
  path: '/session/preferences',
  operationId: 'getPreferences',
  summary: 'Return the preferences of the calling user',
  access: 'session',
  status: 200,
  errors: [],
  response: PreferencesAnswer,
  async handle({ caller }, { db }) {
    const user = ownUser(caller)
    const preferences = user === undefined ? undefined : await readPreferences(db, user)
    return { kept: preferences !== undefined, preferences: preferences ?? {} }
  },
})
