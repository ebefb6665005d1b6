import { defineRoute } from '#lib/api/define-route.ts'
import { SettingList } from '#lib/api/schemas/deployment.ts'

export const listSettings = defineRoute({
  method: 'get',
  path: '/system/settings',
  operationId: 'listSettings',
  summary: 'List the settings of the process that answers; secrets are never shown',
  access: 'admin',
  status: 200,
  errors: [],
  response: SettingList,
  async handle(_input, { deployment }) {
    return { settings: await deployment.settings() }
  },
})
