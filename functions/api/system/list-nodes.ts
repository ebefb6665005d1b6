import { defineRoute } from '#lib/api/define-route.ts'
import { NodeList } from '#lib/api/schemas/deployment.ts'

export const listNodes = defineRoute({
  method: 'get',
  path: '/system/nodes',
  operationId: 'listNodes',
  summary: 'List the remote nodes, and whether each accepts its credential',
  access: 'admin',
  status: 200,
  errors: [],
  response: NodeList,
  async handle(_input, { checkNodes }) {
    return { nodes: await checkNodes() }
  },
})
