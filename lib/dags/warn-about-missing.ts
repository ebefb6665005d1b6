import type { Database } from '#lib/db/client.ts'
import type { Mention, Problem, SpecReading } from '#lib/definition/definition.ts'
import { calledFile } from './called-file.ts'

type Reading = Pick<SpecReading, 'localDags' | 'mentions'>

/** What a file names outside of itself: other DAGs by the names of their files, and queues. */
export function outerMentions({ localDags, mentions }: Reading): Mention[] {
  const own = new Set(localDags.map(({ name }) => name))
  return mentions
    .filter(({ kind, name }) => kind === 'queue' || !own.has(name))
    .map((mention) => (mention.kind === 'dag' ? { ...mention, name: calledFile(mention.name) } : mention))
}

/**
 * Warnings about DAGs that a file calls and queues that it names, and that do not exist now. They may exist when the
 * file runs, so they are no faults.
 */
export async function warnAboutMissing(db: Database, reading: Reading): Promise<Problem[]> {
  const open = outerMentions(reading)
  if (open.length === 0) return []
  const rows = await db.sql<{ kind: Mention['kind']; name: string }[]>`
    select m.kind, m.name
    from jsonb_to_recordset(${JSON.stringify(open)}::text::jsonb) as m (kind text, name text)
    where case m.kind
      when 'dag' then not exists (select from millrace.dag where file_name = m.name)
      else not exists (select from millrace.queue q where q.name = m.name and q.max_concurrency is not null)
    end`
  const missing = new Set(rows.map(({ kind, name }) => `${kind} ${name}`))
  return open
    .filter(({ kind, name }) => missing.has(`${kind} ${name}`))
    .map(({ kind, name, line, column }) => ({ message: sentences[kind](JSON.stringify(name)), line, column }))
}

const sentences: Readonly<Record<Mention['kind'], (name: string) => string>> = {
  dag: (name) => `there is no DAG ${name} to call`,
  queue: (name) => `no setting defines the queue ${name}: it has the limit of this DAG`,
}
