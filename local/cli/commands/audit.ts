import type { Operations } from '#lib/client/api-types.gen.ts'
import { wholeNumber } from '../command.ts'
import { readTime } from '../local-time.ts'
import { defineServiceCommand, type Service } from '../service.ts'
import { text } from '../table.ts'

type Entry = Operations['listAuditEntries']['responses'][200]['entries'][number]

interface Filter {
  readonly count: number
  readonly user: string | undefined
  readonly action: string | undefined
  readonly object: string | undefined
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
    limit: { value: 'COUNT', short: 'n', about: 'maximum number (20)' },
    user: { value: 'NAME', about: 'only calls of this user or key' },
    action: { value: 'NAME', about: 'only this operation, such as startDag or login' },
    object: { value: 'TEXT', about: 'only calls with this in their path' },
    since: { value: 'TIME', about: 'only calls since this time: 24h, 7d, 2026-11-20 or 2026-11-20T14:03' },
  },
  async run({ options, output }, service) {
    const filter = {
      count: wholeNumber('limit', options.limit ?? '20', { from: 1, to: 1_000_000 }),
      user: options.user,
      action: options.action,
      object: options.object,
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
        changed: text(({ changes }) => changes.map(changeText).join('; ')),
      },
      'no entries',
    )
  },
})

async function listEntries(service: Service, filter: Filter): Promise<Entry[]> {
  const { count, user, action, object, since } = filter
  const found: Entry[] = []
  let cursor: string | undefined
  do {
    const query = {
      limit: Math.min(pageMax, count - found.length),
      ...(user !== undefined && { actor: user }),
      ...(action !== undefined && { action }),
      ...(object !== undefined && { target: object }),
      ...(since !== undefined && { from: since }),
      ...(cursor !== undefined && { cursor }),
    }
    const page = await service.ask('listAuditEntries', { query })
    found.push(...page.entries)
    cursor = page.nextCursor
  } while (cursor !== undefined && found.length < count)
  return found
}

function changeText({ field, before, after }: Entry['changes'][number]): string {
  if (before === null) return `${field}: ${after ?? ''}`
  return after === null ? `${field}: ${before} (gone)` : `${field}: ${before} → ${after}`
}
