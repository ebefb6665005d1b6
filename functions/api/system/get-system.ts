import { defineRoute } from '#lib/api/define-route.ts'
import { presentSystem } from '#lib/api/present/system.ts'
import { SystemAnswer } from '#lib/api/schemas/deployment.ts'

export const getSystem = defineRoute({
  method: 'get',
  path: '/system',
  operationId: 'getSystem',
  summary: 'Examine the deployment: findings, processes with their versions, migrations, limits',
  access: 'admin',
  status: 200,
  errors: [],
  response: SystemAnswer,
  async handle(_input, { db, about, deployment }) {
    return await presentSystem({ db, about, deployment })
  },
})
