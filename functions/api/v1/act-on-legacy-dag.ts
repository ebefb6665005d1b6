import { checkAccess } from '#lib/api/auth/auth.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { legacyActions } from '#lib/api/legacy/actions.ts'
import { LegacyActionBody, LegacyAnswer, LegacyPath } from '#lib/api/legacy/schemas.ts'
import { changeOf } from '#lib/api/requests/change-of.ts'
import { getDag } from '#lib/dags/get-dag.ts'

export const actOnLegacyDag = defineRoute({
  method: 'post',
  path: '/dags/{name}',
  operationId: 'actOnLegacyDag',
  summary: 'Start, stop, retry, suspend, mark, save or rename; each needs the same right as its own endpoint',
  access: 'run',
  status: 200,
  errors: ['bad_request', 'not_found', 'already_running', 'already_exists', 'read_only', 'not_running'],
  params: LegacyPath,
  body: LegacyActionBody,
  response: LegacyAnswer,
  async handle({ params, body, headers, caller }, services) {
    const action = legacyActions[body.action]
    checkAccess(caller, action.access)
    const change = changeOf(caller, headers)
    await action.act(await getDag(services.db, params.name), body, { ...services, change }, caller)
    return {}
  },
})
