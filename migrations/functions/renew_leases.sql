-- Renews the leases and the heartbeat of a runner. Returns lost runs, runs asked to stop, the time of the database, and
-- claims of this owner that the runner did not name. The response to such a claim was lost after its commit; it is not
-- renewed. Relies on dag_run_owner_idx. Locks: the worker, then runs by key.
create or replace function millrace.renew_leases(p_owner text, p_claims jsonb, p_lease_ms int, p_worker jsonb)
returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_answer jsonb;
begin
  insert into millrace.worker (id, labels, host, pid, slots, heartbeat_at, draining_at)
  values (
    p_owner, coalesce(p_worker -> 'labels', '{}'), coalesce(p_worker ->> 'host', ''), (p_worker ->> 'pid')::int,
    coalesce((p_worker ->> 'slots')::int, 0), clock_timestamp(),
    case when (p_worker ->> 'draining')::boolean then clock_timestamp() end
  )
  on conflict (id) do update
  set heartbeat_at = excluded.heartbeat_at, labels = excluded.labels,
    draining_at = coalesce(millrace.worker.draining_at, excluded.draining_at);
  with given as materialized (
    select c."runKey" as run_key, c.token from jsonb_to_recordset(p_claims) as c ("runKey" bigint, token bigint)
  ),
  held as materialized (
    select r.run_key from millrace.dag_run r join given g on g.run_key = r.run_key and g.token = r.claim_token
    where r.lease_owner = p_owner
    order by r.run_key
    for no key update of r
  ),
  renewed as (
    update millrace.dag_run r
    set lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
    from held
    where r.run_key = held.run_key
    returning r.run_key, r.stop_requested_at
  ),
  unknown as (
    select jsonb_build_object('runKey', r.run_key::text, 'token', r.claim_token::text) as claim
    from millrace.dag_run r
    where r.lease_owner = p_owner
      and not exists (select from given g where g.run_key = r.run_key and g.token = r.claim_token)
  )
  select jsonb_build_object(
    'lost', coalesce(jsonb_agg(g.run_key::text) filter (where renewed.run_key is null), '[]'),
    'stopping', coalesce(
      jsonb_agg(jsonb_build_object('runKey', g.run_key::text, 'at', millrace.ms(renewed.stop_requested_at)))
        filter (where renewed.stop_requested_at is not null),
      '[]'
    ),
    'unknown', (select coalesce(jsonb_agg(u.claim), '[]') from unknown u),
    'now', millrace.ms(clock_timestamp())
  )
  into v_answer
  from given g
  left join renewed on renewed.run_key = g.run_key;
  return v_answer;
end
$$;
