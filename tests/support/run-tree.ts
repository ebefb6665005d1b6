import type { Database } from '#lib/db/client.ts'

/** Keys of a tree of three levels, by level. */
export interface RunTree {
  readonly root: string
  readonly children: readonly string[]
  readonly grandchildren: readonly string[]
}

/**
 * Stores a tree of running runs: a root, `width` children, and `depth` grandchildren of each. `owner` leases all of
 * them, under token 1.
 */
export async function plantTree(
  db: Database,
  { width, depth, owner }: { readonly width: number; readonly depth: number; readonly owner: string },
): Promise<RunTree> {
  await db.sql`insert into millrace.definition (hash, spec) values ('hash', 'steps: []') on conflict do nothing`
  const level = async (parents: readonly string[], each: number): Promise<string[]> => {
    const isRoot = parents.length === 0
    const rows = await db.sql<{ key: string }[]>`
      insert into millrace.dag_run (
        run_id, dag_name, definition_hash, trigger_type, status, claim_token, lease_owner, lease_until, started_at,
        root_key, parent_key, parent_step
      )
      select gen_random_uuid(), 'tree', 'hash', 'child', 'running', 1, ${owner}, now() + interval '1 hour', now(),
        coalesce(p.root_key, p.run_key), p.run_key, case when p.run_key is not null then 'call' end
      from generate_series(1, ${each}::int) n
      left join millrace.dag_run p on ${!isRoot} and p.run_key = any (${`{${parents.join(',')}}`}::bigint[])
      order by p.run_key, n
      returning run_key::text as key`
    return rows.map(({ key }) => key)
  }
  const [root = ''] = await level([], 1)
  const children = await level([root], width)
  const grandchildren = await level(children, depth)
  return { root, children, grandchildren }
}

/** How many deadlocks the server has resolved in this database. */
export async function deadlocksIn(db: Database): Promise<number> {
  await db.sql`select pg_stat_force_next_flush()`
  const [row] = await db.sql<{ count: number }[]>`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`
  return row?.count ?? 0
}
