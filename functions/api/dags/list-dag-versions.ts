import { defineRoute } from '#lib/api/define-route.ts'
import { presentVersion } from '#lib/api/present/dag-version.ts'
import { VersionsAnswer, VersionsQuery } from '#lib/api/schemas/dag-version.ts'
import { DagPath } from '#lib/api/schemas/names.ts'
import { listVersions } from '#lib/dags/list-versions.ts'

export const listDagVersions = defineRoute({
  method: 'get',
  path: '/dags/{fileName}/versions',
  operationId: 'listDagVersions',
  summary: 'List the versions of a DAG, also of a deleted one: who changed it and when, newest first',
  access: 'read',
  status: 200,
  errors: ['bad_request', 'not_found'],
  params: DagPath,
  query: VersionsQuery,
  response: VersionsAnswer,
  async handle({ params: { fileName }, query: { limit, cursor } }, { db }) {
    const before = cursor === undefined ? undefined : Number(cursor)
    const found = await listVersions(db, { fileName, limit: limit + 1, before })
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    return {
      versions: shown.map(presentVersion),
      ...(last !== undefined && { nextCursor: String(last.version) }),
    }
  },
})
