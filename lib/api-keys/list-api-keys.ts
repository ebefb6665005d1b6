import type { Database } from '#lib/db/client.ts'
import { apiKeyColumns, type ApiKey } from './api-key.ts'

/** All keys, revoked ones included, newest first. */
export async function listApiKeys(db: Database): Promise<ApiKey[]> {
  return await db.sql<
    ApiKey[]
  >`select ${apiKeyColumns(db)} from millrace.api_key order by created_at desc, id`
}
