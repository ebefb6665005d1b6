import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '#lib/db/client.ts'
import { migrate } from '#lib/db/migrate.ts'
import { startPostgres, type EmbeddedPostgres } from '#local/postgres/start-postgres.ts'
import { openPooler } from '#tests/support/pgbouncer.ts'
import { startProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts'
import { until } from '#tests/support/until.ts'
import { queues } from './dags.ts'
import { Member, processesWith } from './member.ts'

/** Everything that the suite starts: a PostgreSQL, and the processes of the service. */
export interface Deployment {
  readonly db: Database
  readonly postgres: EmbeddedPostgres
  /** Carries all connections between the service and PostgreSQL. */
  readonly proxy: TcpProxy
  readonly members: readonly Member[]
  readonly apis: readonly Member[]
  readonly runners: readonly Member[]
  /** A variable in the environment of every process that descends from the runners. */
  readonly mark: string
  readonly ledger: () => string
  readonly folder: string
  readonly close: () => Promise<void>
}

export const leaseS = 5
const dayMs = 86_400_000
/** Fewer connections than the processes would open, so that they share. */
const poolSize = 10
/** By default. The clocks of one runner, one API and one tick are wrong by a day. */
const usual: Cast = { apis: 2, ticks: 2, runners: 3, leaseS }

/**
 * Notes who wrote each state of a step, and who owned the run then. It does not rely on the fencing of the service: an
 * owner's name contains its process id, and the name of a connection identifies the life of a process. An owner
 * that finishes a run writes its steps in the same statement, so releases are noted too.
 */
const witness = `
  create schema chaos;
  create table chaos.write (life text, run_key bigint, owner text);
  create table chaos.release (run_key bigint, owner text, at xid8);
  create index on chaos.release (run_key);
  create function chaos.note_release() returns trigger language plpgsql as $$
  begin
    insert into chaos.release values (old.run_key, old.lease_owner, pg_current_xact_id());
    return null;
  end $$;
  create trigger note_release after update of lease_owner on millrace.dag_run
  for each row when (old.lease_owner is not null and new.lease_owner is null)
  execute function chaos.note_release();
  create function chaos.note_write() returns trigger language plpgsql as $$
  begin
    insert into chaos.write
    select current_setting('application_name'), r.run_key, coalesce(r.lease_owner, (
      select o.owner from chaos.release o where o.run_key = r.run_key and o.at = pg_current_xact_id() limit 1))
    from millrace.dag_run r where r.run_key = new.run_key;
    return null;
  end $$;
  create trigger note_write after insert or update on millrace.dag_run_step
  for each row execute function chaos.note_write()`

/** The number of processes of each part, and the lease of the runners in seconds. */
export interface Cast {
  readonly apis: number
  readonly ticks: number
  readonly runners: number
  readonly leaseS: number
  /** Whether the service runs behind pgbouncer in transaction mode. */
  readonly pooled?: boolean
}

/** Starts PostgreSQL, the proxy and the processes. */
export async function startDeployment(given: Partial<Cast> = {}): Promise<Deployment> {
  const cast = { ...usual, ...given }
  const folder = mkdtempSync(join(tmpdir(), 'millrace-chaos-'))
  chmodSync(folder, 0o711)
  const postgres = await startPostgres({ folder: join(folder, 'database'), durable: true })
  const pooler = cast.pooled === true ? await openPooler(postgres.url, poolSize) : undefined
  const url = pooler?.url ?? postgres.url
  const proxy = await startProxy(url)
  const db = connect(postgres.url, { max: 6, applicationName: 'chaos' })
  await migrate(db)
  await db.sql.unsafe(witness)
  const ledgerFile = join(folder, 'ledger')
  writeFileSync(ledgerFile, '')
  mkdirSync(join(folder, 'steps'))
  const mark = `DAG_CHAOS_MARK=${randomBytes(9).toString('hex')}`
  const environment = {
    DAG_CHAOS_MARK: mark.slice('DAG_CHAOS_MARK='.length),
    DAG_CHAOS_LEDGER: ledgerFile,
    DAG_CHAOS_FOLDER: join(folder, 'steps'),
    MILLRACE_PORT: '0',
    MILLRACE_DATA_DIR: join(folder, 'data'),
    MILLRACE_LOG_STORE: 'postgres:',
    MILLRACE_DATABASE_POOLED: String(cast.pooled === true),
    MILLRACE_LOG_LEVEL: 'warn',
    MILLRACE_LEASE_S: String(cast.leaseS),
    MILLRACE_RUNNER_GRACE_S: '1',
    MILLRACE_QUEUES: Object.entries(queues)
      .map(([name, most]) => `${name}=${most}`)
      .join(','),
  }
  const make = (part: 'api' | 'tick' | 'runner', count: number, wrongBy: number): Member[] =>
    Array.from({ length: count }, (_, index) => {
      const options = {
        part,
        name: `${part}-${index + 1}`,
        databaseUrl: proxy.through(url),
        environment,
      }
      return new Member(index === 0 ? { ...options, clockMs: wrongBy } : options)
    })
  const apis = make('api', cast.apis, dayMs)
  const runners = make('runner', cast.runners, -dayMs)
  const members = [...apis, ...make('tick', cast.ticks, dayMs), ...runners]
  for (const member of members) member.start()
  const close = async (): Promise<void> => {
    for (const member of members) if (member.isStopped) member.resume()
    await Promise.all(members.map((member) => member.end('SIGKILL')))
    await until('no process of a step is left', () => processesWith(mark).length === 0).catch(() => undefined)
    await db.close()
    await proxy.close()
    await pooler?.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    db,
    postgres,
    proxy,
    members,
    apis,
    runners,
    mark,
    folder,
    ledger: () => readFileSync(ledgerFile, 'utf8'),
    close,
  }
}

export async function createDag(
  apis: readonly Member[],
  { name, spec }: { name: string; spec: string },
): Promise<void> {
  const url = await until('an API listens', () => apis[0]?.url, { withinMs: 60_000 })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ name, spec })
  const reply = await fetch(`${url}/api/v2/dags`, { method: 'POST', headers, body })
  if (reply.status !== 201) throw new Error(`${name} was refused: ${await reply.text()}`)
}
