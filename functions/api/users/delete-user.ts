import { defineRoute } from '#lib/api/define-route.ts'
import { UserPath } from '#lib/api/schemas/access.ts'
import { deleteUser as remove } from '#lib/users/delete-user.ts'

export const deleteUser = defineRoute({
  method: 'delete',
  path: '/users/{username}',
  operationId: 'deleteUser',
  summary: 'Remove a user',
  access: 'admin',
  status: 204,
  errors: ['bad_request', 'not_found'],
  params: UserPath,
  async handle({ params, noteChanges }, { db }) {
    const role = await remove(db, params.username)
    noteChanges([{ field: 'role', before: role, after: null }])
  },
})
