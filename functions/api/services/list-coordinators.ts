import { defineRoute } from '#lib/api/define-route.ts'
import { timestamp } from '#lib/api/present/timestamp.ts'
import { CoordinatorList } from '#lib/api/schemas/service.ts'
import { findCoordinator } from '#lib/workers/find-coordinator.ts'

export const listCoordinators = defineRoute({
  method: 'get',
  path: '/services/coordinator',
  operationId: 'listCoordinators',
  summary: 'Show the coordinator of the runners, which is the database',
  access: 'read',
  status: 200,
  errors: [],
  response: CoordinatorList,
  async handle(_input, { db }) {
    const coordinators = await findCoordinator(db)
    return {
      coordinators: coordinators.map(({ host, port, startedAt }) => ({
        instanceId: 'postgres',
        host,
        status: 'active' as const,
        startedAt: timestamp(startedAt),
        port,
      })),
    }
  },
})
