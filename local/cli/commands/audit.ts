import type { Operations } from '#lib/client/api-types.gen.ts'
import { wholeNumber } from '../command.ts'
import { readTime } from '../local-time.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { text } from '../table.ts'

type Entry = Operations['listAuditEntries']['replies'][200]['entries'][number]

interface Filter {
  readonly count: number
  readonly user: string | undefined
  /** Seconds since 1970. */
  readonly since: number | undefined
}

const pageMax = 1_000

export const audit = defineServiceCommand({
  name: 'audit',
  summary: 'List who changed what, newest first',
  usage: [''],
  details: 'Needs the role admin.',
  options: {
    limit: { value: 'COUNT', short: 'n', about: 'at most so many (20)' },
    user: { value: 'NAME', about: 'only calls of this user or key' },
    since: { value: 'TIME', about: 'only calls since then: 24h, 7d, 2026-11-20 or 2026-11-20T14:03' },
  },
  async run({ options, output }, service) {
    const filter = {
      count: wholeNumber('limit', options.limit ?? '20', { from: 1, to: 1_000_000 }),
      user: options.user,
      since: options.since === undefined ? undefined : readTime('since', options.since, Date.now()),
    }
    output.table(
      await listEntries(service, filter),
      {
        at: ({ at }) => output.time(at),
        who: ({ actor }) => actor,
        role: ({ role }) => role,
        action: ({ action }) => action,
        answer: ({ status }) => (status < 400 ? 'done' : `refused (${status})`),
        target: text(({ target }) => target),
      },
      'no entries',
    )
  },
})

async function listEntries(service: Service, { count, user, since }: Filter): Promise<Entry[]> {
  const found: Entry[] = []
  let cursor: string | undefined
  do {
    const query = { limit: pageMax, ...(cursor !== undefined && { cursor }) }
    const page = await service.ask('listAuditEntries', { query })
    for (const entry of page.entries) {
      if (since !== undefined && Date.parse(entry.at) < since * 1_000) return found
      // The API puts a word before the name of a key, so that it cannot pass for a user.
      if (user === undefined || [user, `key ${user}`].includes(entry.actor)) found.push(entry)
      if (found.length >= count) return found
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}
