import { limits } from '#lib/core/limits.ts'
import { listMigrations } from '#lib/db/list-migrations.ts'
import { migrationState } from '#lib/db/migration-state.ts'
import { listProcesses, type ServiceProcess } from '#lib/processes/list-processes.ts'
import type { Services } from '#lib/api/services.ts'
import { timestamp } from './timestamp.ts'

/** The deployment, as the process that answers sees it. */
export async function presentSystem({
  db,
  about,
  deployment,
}: Pick<Services, 'db' | 'about' | 'deployment'>) {
  const [findings, processes, applied, { pending, changed, newer }] = await Promise.all([
    deployment.examine(),
    listProcesses(db),
    listMigrations(db),
    migrationState(db),
  ])
  return {
    version: about.version,
    startedAt: timestamp(about.startedAt),
    findings,
    processes: processes.map(presentProcess),
    migrations: {
      applied: applied.map(({ name, at }) => ({ name, at: timestamp(at) })),
      pending: [...pending],
      changed: [...changed],
      newer: [...newer],
    },
    limits: numbersOf(limits),
  }
}

function presentProcess({ startedAt, seenAt, ...process }: ServiceProcess) {
  return { ...process, startedAt: timestamp(startedAt), seenAt: timestamp(seenAt) }
}

/** Limits that consist of several get names with a dot. */
function numbersOf(values: Readonly<Record<string, unknown>>, before = ''): Record<string, number> {
  return Object.assign(
    {},
    ...Object.entries(values).map(([name, value]) =>
      typeof value === 'number'
        ? { [before + name]: value }
        : numbersOf(Object(value) as Record<string, unknown>, `${before}${name}.`),
    ),
  ) as Record<string, number>
}
