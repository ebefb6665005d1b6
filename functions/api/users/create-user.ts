import { defineRoute } from '#lib/api/define-route.ts'
import { presentUser } from '#lib/api/present/access.ts'
import { CreateUserBody, UserAnswer } from '#lib/api/schemas/access.ts'
import { createUser as create } from '#lib/users/create-user.ts'

export const createUser = defineRoute({
  method: 'post',
  path: '/users',
  operationId: 'createUser',
  summary: 'Add a user, who logs in by name and password',
  access: 'admin',
  status: 201,
  errors: ['bad_request', 'already_exists'],
  body: CreateUserBody,
  response: UserAnswer,
  async handle({ body, noteChanges }, { db }) {
    const user = await create(db, body)
    noteChanges([{ field: 'role', before: null, after: user.role }])
    return { user: presentUser(user) }
  },
})
