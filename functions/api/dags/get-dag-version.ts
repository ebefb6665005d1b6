import { viewOf } from '#lib/api/auth/shown-to.ts'
import { defineRoute } from '#lib/api/define-route.ts'
import { presentVersion } from '#lib/api/present/dag-version.ts'
import { VersionAnswer, VersionPath } from '#lib/api/schemas/dag-version.ts'
import { getVersion } from '#lib/dags/get-version.ts'

export const getDagVersion = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/versions/{version}',
  operationId: 'getDagVersion',
  summary: 'Return a version of a DAG with its text; only editors see the secrets in it',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: VersionPath,
  response: VersionAnswer,
  async handle({ params, caller }, { db }) {
    const found = await getVersion(db, params)
    return { ...presentVersion(found), spec: viewOf(caller).spec(found.spec) }
  },
})
