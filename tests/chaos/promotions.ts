import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { startPostgres } from '#local/postgres/start-postgres.ts'
import { promoteAtOnce, type Promotions } from '#tests/support/promotions.ts'
import type { Finding } from './judge.ts'
import { seeded } from './random.ts'

/** Runs this many promotions on their own PostgreSQL. */
export async function promotions(
  count: number,
  seed: number,
): Promise<Pick<Promotions, 'limitChanges' | 'lowered'> & { readonly finding: Finding }> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-promotions-'))
  chmodSync(folder, 0o711)
  const postgres = await startPostgres({ folder, durable: false })
  const clients: Database[] = []
  const open = (): Database => {
    const client = connect(postgres.url, { max: 1, applicationName: 'promotions' })
    clients.push(client)
    return client
  }
  try {
    const db = open()
    await migrate(db)
    const { promoted, over, ...changes } = await promoteAtOnce(db, { count, open, random: seeded(seed) })
    const claim = 'after a promotion no more runs are in progress than the limit in force allows'
    return { finding: { claim, looked: promoted, wrong: over }, ...changes }
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
