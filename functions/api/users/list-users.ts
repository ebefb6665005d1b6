import { defineRoute } from '#lib/api/define-route.ts'
import { presentUser } from '#lib/api/present/access.ts'
import { UserList } from '#lib/api/schemas/access.ts'
import { listUsers as list } from '#lib/users/list-users.ts'

export const listUsers = defineRoute({
  method: 'get',
  path: '/users',
  operationId: 'listUsers',
  summary: 'List the users',
  access: 'admin',
  status: 200,
  errors: [],
  response: UserList,
  async handle(_input, { db }) {
    return { users: (await list(db)).map(presentUser) }
  },
})
