/** `npm run keys -- list | create NAME ROLE [DAYS] | revoke ID`: API keys, straight on the database. */
import * as v from 'valibot'
import { ApiKeyPath, CreateApiKeyBody } from '#lib/api/schemas/access.ts'
import { parseInput } from '#lib/api/read-input.ts'
import { createApiKey } from '#lib/api-keys/create-api-key.ts'
import { listApiKeys } from '#lib/api-keys/list-api-keys.ts'
import { revokeApiKey } from '#lib/api-keys/revoke-api-key.ts'
import { migrate } from '#lib/db/migrate.ts'
import type { Database } from '#lib/db/client.ts'
import { runPart } from './run-part.ts'

const usage = 'usage: npm run keys -- list | create NAME ROLE [DAYS] | revoke ID'
const Days = v.pipe(v.string(), v.regex(/^\d{1,5}$/, 'must be a number of days'), v.transform(Number))

async function main(db: Database, [verb, ...args]: readonly string[]): Promise<string> {
  if (verb === 'list' && args.length === 0) return await list(db)
  if (verb === 'revoke' && args.length === 1) {
    await revokeApiKey(db, parseInput(ApiKeyPath, { keyId: args[0] }).keyId)
    return 'revoked'
  }
  if (verb === 'create' && (args.length === 2 || args.length === 3)) {
    const [name, role, days] = args
    const expires = days === undefined ? {} : { expiresInDays: parseInput(Days, days) }
    const request = parseInput(CreateApiKeyBody, { name, role, ...expires })
    const { key } = await createApiKey(db, {
      ...request,
      expiresInDays: request.expiresInDays,
      createdBy: 'command line',
    })
    return key
  }
  throw new Error(usage)
}

async function list(db: Database): Promise<string> {
  const day = (ms: number | null): string => (ms === null ? '-' : new Date(ms).toISOString().slice(0, 10))
  const lines = (await listApiKeys(db)).map(({ id, prefix, role, name, expiresAt, revokedAt }) =>
    [id, `${prefix}…`, role, name, `expires ${day(expiresAt)}`, `revoked ${day(revokedAt)}`].join('  '),
  )
  return lines.length === 0 ? 'no keys' : lines.join('\n')
}

await runPart('migrate', async ({ parts }) => {
  await migrate(parts.db)
  console.log(await main(parts.db, process.argv.slice(2)))
  return 'done'
})
