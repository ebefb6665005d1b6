/** One fault planted in an SQL function: a piece of its text, and the replacement. */
export interface SqlMutation {
  readonly fault: string
  readonly call: string
  readonly from: string
  readonly to: string
}

const mutation = (fault: string, call: string, from: string, to: string): SqlMutation => ({
  fault,
  call,
  from,
  to,
})

const fresh = `exit when not found;
    select count(*) into v_active
    from millrace.dag_run r
    where r.queue = p_queue and r.status in ('not_started', 'running');
    exit when v_active >= coalesce(v_run.max_concurrency, v_run.most);`
const queueLock = 'perform from millrace.queue q where q.name = any (v_names) order by q.name for update;'
const within = 'promote_locked_queue'

/** Plausible mistakes in SQL functions; the interleaving test must catch each. */
export const sqlMutations: readonly SqlMutation[] = [
  mutation('record without the token', 'record', ' and r.claim_token = v_item.token', ''),
  mutation('record without a lease', 'record', ' and r.lease_owner is not null', ''),
  mutation(
    'finish keeps the lease',
    'record',
    'lease_owner = case when v_item.finish is null and',
    'lease_owner = case when',
  ),
  mutation('released runs are not claimable', 'record', 'when v_item.release is not null', 'when false'),
  mutation('renew for any owner', 'renew_leases', 'where r.lease_owner = p_owner', 'where true'),
  mutation('renewed leases are too long', 'renew_leases', 'p_lease_ms / 1000.0', 'p_lease_ms / 100.0'),
  mutation(
    'claim of a leased run',
    'claim_runs',
    'r.lease_owner is null and r.ready_at is not null and r.ready_at <= now()',
    'true',
  ),
  mutation(
    'claim with the old token',
    'claim_runs',
    'claim_token = r.claim_token + 1',
    'claim_token = r.claim_token',
  ),
  mutation('claim without skip locked', 'claim_runs', 'for no key update skip locked', 'for no key update'),
  mutation('claim without a lock', 'claim_runs', 'for no key update skip locked', ''),
  mutation('claimed leases are too long', 'claim_runs', 'p_lease_ms / 1000.0', 'p_lease_ms / 100.0'),
  mutation('promote without the lock', 'promote_in_queues', queueLock, queueLock.replace(' for update', '')),
  mutation('promote one too many', within, 'v_active >= coalesce', 'v_active > coalesce'),
  mutation('promote one too many of a DAG', within, 'v_of_dag >= v_run.most', 'v_of_dag > v_run.most'),
  mutation(
    'promote ignores runs of the DAG in other queues',
    within,
    'where r.home_queue = coalesce',
    'where false and r.home_queue = coalesce',
  ),
  mutation(
    'promote ignores runs of the DAG in its own queue',
    within,
    'and r.home_queue is null',
    'and false',
  ),
  mutation(
    'promote without the lock of the DAG',
    'promote_in_queues',
    'from millrace.queue q where q.name = any (v_names) order',
    'from millrace.queue q where q.name = any (p_names) order',
  ),
  mutation('promote counts only running runs', within, "('not_started', 'running')", "('running')"),
  mutation(
    'promote counts once, not after each run',
    within,
    fresh,
    `exit when not found;
    if v_active is null then
      select count(*) into v_active from millrace.dag_run r
      where r.queue = p_queue and r.status in ('not_started', 'running');
    end if;
    exit when v_active >= coalesce(v_run.max_concurrency, v_run.most);`,
  ),
  mutation(
    'promote counts before the lock',
    'promote_in_queues',
    queueLock,
    `select count(*) into v_count
    from millrace.dag_run r where r.queue = 'lane' and r.status in ('not_started', 'running');
  ${queueLock}
  if v_count < 2 then
    update millrace.dag_run set status = 'not_started', ready_at = now() where run_key = (
      select min(run_key) from millrace.dag_run where queue = 'lane' and status = 'queued');
  end if;
  v_count := 0;`,
  ),
  mutation('dequeue of a run that is not queued', 'dequeue_run', " and status = 'queued'", ''),
  mutation(
    'retry of a running run',
    'retry_run',
    `and r.attempt = p_attempt
    and r.status in ('failed', 'cancelled', 'success', 'partial_success')`,
    'and r.attempt = p_attempt',
  ),
  mutation('retry keeps its position in the queue', 'retry_run', 'queued_at = null', 'queued_at = queued_at'),
  mutation('retried runs are not claimable', 'retry_run', 'ready_at = now()', 'ready_at = null'),
  mutation(
    'stop marks running runs as cancelled',
    'request_stops',
    "then 'cancelled' else r.status end",
    "then 'cancelled' else 'cancelled' end",
  ),
  mutation(
    'a stop leaves a run without an owner unclaimable',
    'request_stops',
    "when r.status = 'running' and r.lease_owner is null then now()",
    'when false then now()',
  ),
  mutation(
    'stop of a finished run',
    'request_stops',
    "where r.run_key = any (p_keys) and r.status in ('not_started', 'running')",
    'where r.run_key = any (p_keys)',
  ),
  mutation(
    'a tree is locked in any order',
    'stop_descendants',
    'order by r.run_key for no key',
    'order by -r.run_key for no key',
  ),
  mutation('take over of a live run', 'take_over_lost_runs', 'r.lease_until < clock_timestamp()', 'true'),
  mutation('take over without a lock', 'take_over_lost_runs', 'for no key update skip locked', ''),
  mutation(
    'runs that are taken over are not claimable',
    'take_over_lost_runs',
    'ready_at = case when r.lost_count < 3 then now() end',
    'ready_at = null',
  ),
  mutation(
    'singleton without the lock',
    'create_run',
    "perform pg_advisory_xact_lock(hashtextextended('millrace.singleton.' || (p ->> 'dagName'), 0));",
    '',
  ),
  mutation(
    'singleton next to a running run',
    'create_run',
    "r.status in ('not_started', 'running', 'queued')",
    "r.status in ('not_started', 'queued')",
  ),
  mutation(
    'enqueued runs start at once',
    'create_run',
    "case when v_is_queued then 'queued' else 'not_started' end",
    "'not_started'",
  ),
  mutation(
    'definitions are examined without a lock',
    'remove_unused_definitions',
    'for no key update skip locked',
    '',
  ),
  mutation(
    'definitions are deleted without a lock',
    'remove_unused_definitions',
    'for update skip locked',
    '',
  ),
  mutation(
    'a definition is not noted when its run is deleted',
    'remove_trees',
    'set gc_candidate = true',
    'set gc_candidate = gc_candidate',
  ),
  mutation(
    'a definition is not noted when its version is trimmed',
    'mark_gc_candidates',
    'gc_candidate = true',
    'gc_candidate = gc_candidate',
  ),
]
