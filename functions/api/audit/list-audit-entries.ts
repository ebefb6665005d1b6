import { defineRoute } from '#lib/api/define-route.ts'
import { presentAuditEntry } from '#lib/api/present/access.ts'
import { AuditList, AuditQuery } from '#lib/api/schemas/access.ts'
import { listAuditEntries as list } from '#lib/audit/list-audit-entries.ts'

export const listAuditEntries = defineRoute({
  method: 'get',
  path: '/audit',
  operationId: 'listAuditEntries',
  summary: 'List changes and attempted changes with their actors, newest first',
  access: 'admin',
  status: 200,
  errors: ['bad_request'],
  query: AuditQuery,
  response: AuditList,
  async handle({ query }, { db }) {
    const { limit, cursor = null, ...filter } = query
    const found = await list(db, { ...filter, limit: limit + 1, before: cursor })
    const shown = found.slice(0, limit)
    const last = found.length > shown.length ? shown.at(-1) : undefined
    return {
      entries: shown.map(presentAuditEntry),
      ...(last !== undefined && { nextCursor: last.id }),
    }
  },
})
