-- As before, and the first claim of a run begins its opening steps, so that nothing must be committed between the claim
-- and their processes. p_known: {hash of a definition that the runner knows: [{"name", "place"}]}; "begun" of an answer:
-- those of them that have begun. A local DAG has other steps than its file. Runners of the version before send an array
-- of hashes.
create or replace function millrace.claim_runs(p_owner text, p_labels jsonb, p_count int, p_lease_ms int, p_known jsonb)
returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_hashes constant text[] := array(
    select jsonb_array_elements_text(p_known) where jsonb_typeof(p_known) = 'array'
    union all
    select jsonb_object_keys(p_known) where jsonb_typeof(p_known) = 'object'
  );
  v_runs jsonb;
begin
  with free as materialized (
    select run_key
    from millrace.dag_run
    where lease_owner is null and ready_at is not null and ready_at <= now()
      and status in ('not_started', 'running') and p_labels @> labels
    order by priority desc, ready_at, run_key
    limit p_count
    for no key update skip locked
  ),
  claimed as (
    update millrace.dag_run r
    set status = 'running', claim_token = r.claim_token + 1, lease_owner = p_owner,
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0), ready_at = null,
      started_at = coalesce(r.started_at, now())
    from free
    where r.run_key = free.run_key
    returning r.*
  ),
  begun as (
    insert into millrace.dag_run_step (run_key, name, place, status, phase, attempt, started_at)
    select c.run_key, s.name, s.place, 'running', 'executing', c.attempt, c.started_at
    from claimed c
    cross join lateral jsonb_to_recordset(p_known -> c.definition_hash) as s (name text, place int)
    where c.claim_token = 1 and c.attempt = 1 and c.stop_requested_at is null and c.document is null
    returning run_key, name, place
  )
  select coalesce(jsonb_agg(
    millrace.describe_run(claimed, v_hashes) || jsonb_build_object(
      'traceparent', claimed.traceparent,
      'begun', coalesce((
        select jsonb_agg(jsonb_build_object('name', b.name, 'place', b.place)) from begun b
        where b.run_key = claimed.run_key
      ), '[]')
    )
    order by run_key
  ), '[]')
  into v_runs
  from claimed;
  return v_runs;
end
$$;

-- Takes back claims whose answer the owner has never received: nothing was executed under them, so what they have begun
-- has not begun.
create function millrace.undo_claims(p_owner text, p_claims jsonb) returns void
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_keys bigint[];
begin
  select array_agg(held.run_key) into v_keys
  from (
    select r.run_key
    from millrace.dag_run r
    join jsonb_to_recordset(p_claims) as c ("runKey" bigint, token bigint)
      on c."runKey" = r.run_key and c.token = r.claim_token
    where r.lease_owner = p_owner
    order by r.run_key
    for no key update of r
  ) as held;
  delete from millrace.dag_run_step s
  using millrace.dag_run r
  where s.run_key = any (v_keys) and r.run_key = s.run_key and r.claim_token = 1 and r.attempt = 1;
  update millrace.dag_run set lease_owner = null, lease_until = null, ready_at = now() where run_key = any (v_keys);
  perform pg_notify('millrace_work', '');
end
$$;

-- As before, with the lock that an update takes: children of a run that is taken over, or claimed, look at its key.
create or replace function millrace.take_over_lost_runs(p_limit int, p_lease_ms int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_count int;
  v_owners_had_time boolean :=
    pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => p_lease_ms / 1000.0);
begin
  with lost as materialized (
    select r.run_key from millrace.dag_run r
    where r.lease_owner is not null and r.lease_until < clock_timestamp()
      and (v_owners_had_time or r.lease_until = '-infinity')
    order by r.lease_until
    limit p_limit
    for no key update skip locked
  ),
  steps as (
    update millrace.dag_run_step s
    set status = 'failed', phase = null, error = 'runner lost', finished_at = now()
    from lost join millrace.dag_run r on r.run_key = lost.run_key
    where s.run_key = lost.run_key and r.lost_count >= 2 and s.status = 'running'
  )
  update millrace.dag_run r
  set lease_owner = null, lease_until = null, lost_count = r.lost_count + 1,
    status = case when r.lost_count >= 2 then 'failed' else r.status end,
    error = case when r.lost_count >= 2 then 'the run lost its runner three times in a row' else r.error end,
    finished_at = case when r.lost_count >= 2 then now() end,
    ready_at = case when r.lost_count < 2 then now() end
  from lost
  where r.run_key = lost.run_key;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$$;
