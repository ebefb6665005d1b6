import { Answer, defineRoute } from '#lib/api/define-route.ts'
import { presentSaved } from '#lib/api/present/dag.ts'
import { specETag, versionOf } from '#lib/api/answers/spec-etag.ts'
import { changeOf } from '#lib/api/requests/change-of.ts'
import { UpdateSpecBody } from '#lib/api/schemas/bodies.ts'
import { UpdateSpecAnswer } from '#lib/api/schemas/dag.ts'
import { DagPath } from '#lib/api/schemas/names.ts'
import { saveSpec } from '#lib/dags/save-spec.ts'
import { refuseOwned } from '#lib/dags/owning-files.ts'

export const updateDagSpec = defineRoute({
  method: 'put',
  path: '/dags/{fileName}/spec',
  operationId: 'updateDagSpec',
  summary: 'Replace the text of a DAG; a text with errors is not saved',
  access: 'write',
  conditional: true,
  status: 200,
  errors: ['bad_request', 'not_found', 'already_exists', 'read_only'],
  errorStatus: { already_exists: 412 },
  params: DagPath,
  body: UpdateSpecBody,
  response: UpdateSpecAnswer,
  async handle({ params, body, headers, caller, noteChanges }, { db, defaults, labels }) {
    await refuseOwned(db, params.fileName)
    const version = versionOf(headers.get('if-match'))
    const change = changeOf(caller, headers, body.message)
    const file = { fileName: params.fileName, spec: body.spec, version, change }
    const saved = await saveSpec(db, { ...(await defaults()), ...file })
    const findings = presentSaved(saved, labels)
    if (saved.version === undefined) return findings
    noteChanges([{ field: 'version', before: String(saved.version - 1), after: String(saved.version) }])
    return new Answer(findings, { headers: { etag: specETag(saved.version) } })
  },
})
