import { UsageError, wholeNumber } from '../command.ts'
import type { Output } from '../output.ts'
import { readRole } from '../role.ts'
import { defineServiceCommand, type Service } from '../service.ts'

export const keys = defineServiceCommand({
  name: 'keys',
  summary: 'List, create or revoke API keys',
  usage: ['list', 'create NAME ROLE', 'revoke KEY'],
  details:
    'ROLE is viewer, operator, editor or admin. A new key is printed once and cannot be shown again.\n' +
    'KEY is an id, or a name that only one valid key has.',
  options: {
    days: { value: 'COUNT', about: 'the new key expires after COUNT days' },
    database: { about: 'use the database directly, without a service' },
  },
  async run({ words: [verb = '', name = '', role = ''], options, output }, service) {
    const request = verb === 'create' ? { name, role: readRole(role), ...expiry(options.days) } : undefined
    const work = async (service: Service): Promise<void> => {
      if (request !== undefined) {
        const answer = await service.ask('createApiKey', { body: request })
        output.show(answer, answer.key)
      } else if (verb === 'revoke') {
        const keyId = await idOf(service, name)
        await service.ask('revokeApiKey', { params: { keyId } })
        output.show({ id: keyId, revoked: true }, 'revoked')
      } else await list(service, output)
    }
    if (!options.database) return await work(service)
    const { onDatabase } = await import('../on-database.ts')
    await onDatabase(work)
  },
})

function expiry(days: string | undefined): { expiresInDays?: number } {
  return days === undefined ? {} : { expiresInDays: wholeNumber('days', days, { from: 1, to: 3_650 }) }
}

async function idOf(service: Service, key: string): Promise<string> {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(key)) return key
  const { apiKeys } = await service.ask('listApiKeys')
  const [found, ...others] = apiKeys.filter(({ name, revokedAt }) => name === key && revokedAt === '')
  if (found !== undefined && others.length === 0) return found.id
  const name = JSON.stringify(key)
  throw new UsageError(
    found === undefined
      ? `no valid key has the name ${name}`
      : `several keys have the name ${name}: give the id`,
  )
}

async function list(service: Service, output: Output): Promise<void> {
  const { apiKeys } = await service.ask('listApiKeys')
  output.table(
    apiKeys,
    {
      id: ({ id }) => id,
      key: ({ prefix }) => `${prefix}…`,
      role: ({ role }) => role,
      name: ({ name }) => name,
      owner: ({ owner }) => owner || '-',
      expires: ({ expiresAt }) => output.time(expiresAt),
      'last used': ({ lastUsedAt }) => output.time(lastUsedAt),
      revoked: ({ revokedAt }) => output.time(revokedAt),
    },
    'no keys',
  )
}
