import { Answer, defineRoute } from '#lib/api/define-route.ts'
import { presentDag, readStoredDag } from '#lib/api/present/dag.ts'
import { specETag } from '#lib/api/answers/spec-etag.ts'
import { viewOf } from '#lib/api/auth/shown-to.ts'
import { SpecAnswer } from '#lib/api/schemas/dag.ts'
import { DagPath } from '#lib/api/schemas/names.ts'
import { findOwner, readOnlyReason } from '#lib/dags/owning-files.ts'
import { getDag } from '#lib/dags/get-dag.ts'

export const getDagSpec = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/spec',
  operationId: 'getDagSpec',
  summary: 'Return the text of a DAG as it was saved; only editors see the secrets in it',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: DagPath,
  response: SpecAnswer,
  async handle({ params, caller }, { db, labels }) {
    const dag = await getDag(db, params.fileName)
    const view = viewOf(caller)
    const owner = await findOwner(db, [params.fileName])
    return new Answer(
      {
        dag: presentDag(view.definition(readStoredDag(dag).dag), labels),
        spec: view.spec(dag.spec),
        ...(owner !== undefined && { readOnly: readOnlyReason(owner) }),
        errors: [...dag.problems],
      },
      { headers: { etag: specETag(dag.version) } },
    )
  },
})
