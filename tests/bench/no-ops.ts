import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { createRuns } from '#lib/runs/start/create-runs.ts'
import { runRequest } from '#tests/support/run-request.ts'
import type { Figure } from './figures.ts'
import { scriptOf } from './service.ts'

const top = new URL('../..', import.meta.url).pathname
const unit = 'jobs/s'

/** Throughput of runs without a process, with one runner on a PostgreSQL server, from the first run to the last. */
export async function measureNoOps(databaseUrl: string, count: number): Promise<Figure> {
  const db = connect(databaseUrl, { max: 2, applicationName: 'millrace-bench' })
  await migrate(db)
  for (let made = 0; made < count; made += 100) {
    await createRuns(
      db,
      Array.from({ length: 100 }, () => runRequest()),
    )
  }
  const env = { ...process.env, DATABASE_URL: databaseUrl, MILLRACE_LOG_LEVEL: 'warn' }
  const [node = '', ...words] = scriptOf('runner')
  const runner = spawn(node, words, { env, cwd: top, stdio: 'inherit' })
  try {
    for (;;) {
      const [row] = await db.sql<{ left: number; seconds: number }[]>`
        select count(*) filter (where finished_at is null)::int as left,
          extract(epoch from max(finished_at) - min(started_at))::float8 as seconds
        from millrace.dag_run`
      if (row?.left === 0)
        return { work: 'Millrace, runs without a process', unit, value: count / row.seconds }
      await sleep(100)
    }
  } finally {
    runner.kill()
    await once(runner, 'exit')
    await db.close()
  }
}

/** The same for libraries that keep their jobs in PostgreSQL, installed into the temporary `folder`. */
export function measureLibraries(databaseUrl: string, folder: string, count: number): Figure[] {
  const packages = { dbos: '@dbos-inc/dbos-sdk@5.3.0', 'graphile-worker': 'graphile-worker@0.17.3' }
  mkdirSync(folder)
  const npm = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', ...Object.values(packages)]
  execFileSync('npm', npm, { stdio: 'ignore' })
  cpSync(join(top, 'tests/bench/peers'), folder, { recursive: true })
  return Object.keys(packages).map((name) => {
    const args = [join(folder, `${name}.mjs`), databaseUrl, String(count)]
    const said = execFileSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const { perSecond } = JSON.parse(said.trim().split('\n').at(-1) ?? '') as { perSecond: number }
    return { work: `${name}, jobs that do nothing`, unit, value: perSecond }
  })
}
