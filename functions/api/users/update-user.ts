import { defineRoute } from '#lib/api/define-route.ts'
import { presentUser } from '#lib/api/present/access.ts'
import { UpdateUserBody, UserAnswer, UserPath } from '#lib/api/schemas/access.ts'
import { updateUser as update } from '#lib/users/update-user.ts'

export const updateUser = defineRoute({
  method: 'patch',
  path: '/users/{username}',
  operationId: 'updateUser',
  summary: 'Change the role or the password of a user, or disable the user',
  access: 'admin',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: UserPath,
  body: UpdateUserBody,
  response: UserAnswer,
  async handle({ params, body, noteChanges }, { db }) {
    const { user, changes } = await update(db, params.username, body)
    noteChanges(changes)
    return { user: presentUser(user) }
  },
})
