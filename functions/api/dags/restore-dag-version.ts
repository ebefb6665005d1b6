import { specETag, versionOf } from '#lib/api/answers/spec-etag.ts'
import { Answer, defineRoute } from '#lib/api/define-route.ts'
import { changeOf } from '#lib/api/requests/change-of.ts'
import { RestoreBody } from '#lib/api/schemas/bodies.ts'
import { RestoreAnswer, VersionPath } from '#lib/api/schemas/dag-version.ts'
import { refuseOwned } from '#lib/dags/owning-files.ts'
import { restoreVersion } from '#lib/dags/restore-version.ts'

export const restoreDagVersion = defineRoute({
  method: 'post',
  path: '/dags/{fileName}/versions/{version}/restore',
  operationId: 'restoreDagVersion',
  summary: 'Restore a version of a DAG, or a deleted DAG',
  access: 'write',
  conditional: true,
  status: 200,
  errors: ['bad_request', 'not_found', 'already_exists', 'read_only'],
  errorStatus: { already_exists: 412 },
  params: VersionPath,
  body: RestoreBody,
  response: RestoreAnswer,
  async handle({ params, body, headers, caller }, { db, defaults }) {
    await refuseOwned(db, params.fileName)
    const seen = versionOf(headers.get('if-match'))
    const change = changeOf(caller, headers, body.message)
    const { version, warnings } = await restoreVersion(db, { ...(await defaults()), ...params, seen, change })
    return new Answer({ version, warnings: [...warnings] }, { headers: { etag: specETag(version) } })
  },
})
