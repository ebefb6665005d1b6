-- Claims up to p_count runs for a runner: matching labels, highest priority first, then oldest first. Runs locked by
-- others are skipped. Relies on dag_run_labels_idx.
-- The first claim of a run also marks its opening steps as running, which saves a commit before their processes start.
-- p_known: {hash of a definition that the runner has cached: [{"name", "place"}]}; "begun" in the result lists these steps.
-- A local DAG has other steps than the first DAG of its file, so its opening steps are not marked.
--
-- Measured with 100,000 runs ahead in the queue that require labels the runner lacks, and one claimable run behind them:
--   index by priority and time, labels compared on the row    3,000 pages, 57 ms; grows with those runs
--   the same, with labels as the last column of the index     2,900 pages, 54 ms
--   skip scan over the distinct label sets of the index       4 pages per set; 10,000 sets: 40,700 pages, 45 ms
--   look up each subset of the runner's labels (chosen)       4 pages per subset; 3 pages without labels, 14 with one,
--                                                             56 with four: 0.3 ms
-- So subsets are looked up while they are few; see label_sets. Locking the first runs of each set directly would be
-- shorter, but rows that are locked and not claimed are hidden from other runners. So the heads of several sets are merged
-- first, then locked.
-- A draining runner claims nothing; a claim that began before the drain was committed may still succeed. The check runs
-- once per claim, before any run is read or locked: 2.5 of the 17 µs of an empty claim.
-- In language SQL an empty claim took twice as long: the body was planned on each call, that of PL/pgSQL is planned once
-- per connection.
create or replace function millrace.claim_runs(p_owner text, p_labels jsonb, p_count int, p_lease_ms int, p_known jsonb)
returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  -- Extra rows to read from each of several sets, because other runners may hold locks on the first ones.
  v_spare constant int := 20;
  v_hashes constant text[] := array(
    select jsonb_array_elements_text(p_known) where jsonb_typeof(p_known) = 'array'
    union all
    select jsonb_object_keys(p_known) where jsonb_typeof(p_known) = 'object'
  );
  v_sets constant jsonb[] := millrace.label_sets(p_labels);
  v_set constant bigint := jsonb_hash_extended(v_sets[1], 0);
  v_keys bigint[];
  v_runs jsonb;
begin
  if cardinality(v_sets) < 2 then
    select array_agg(free.run_key) into v_keys
    from (
      select r.run_key
      from millrace.dag_run r
      where r.lease_owner is null and r.ready_at is not null and r.ready_at <= now()
        and r.status in ('not_started', 'running') and jsonb_hash_extended(r.labels, 0) = v_set
        and p_labels @> r.labels
        and not exists (select from millrace.worker w where w.id = p_owner and w.draining_at is not null)
      order by r.priority desc, r.ready_at, r.run_key
      limit p_count
      for no key update skip locked
    ) as free;
  else
    select array_agg(free.run_key) into v_keys
    from (
      select r.run_key
      from unnest(v_sets) as s (labels)
      cross join lateral (
        select h.run_key, h.priority, h.ready_at
        from millrace.dag_run h
        where h.lease_owner is null and h.ready_at is not null and h.ready_at <= now()
          and h.status in ('not_started', 'running')
          and jsonb_hash_extended(h.labels, 0) = jsonb_hash_extended(s.labels, 0) and p_labels @> h.labels
        order by h.priority desc, h.ready_at, h.run_key
        limit p_count + v_spare
      ) as head
      join millrace.dag_run r on r.run_key = head.run_key
      where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
        and not exists (select from millrace.worker w where w.id = p_owner and w.draining_at is not null)
      order by head.priority desc, head.ready_at, head.run_key
      limit p_count
      for no key update of r skip locked
    ) as free;
  end if;
  if v_keys is null then
    return '[]';
  end if;
  with claimed as (
    update millrace.dag_run r
    set status = 'running', claim_token = r.claim_token + 1, lease_owner = p_owner,
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0), ready_at = null,
      started_at = coalesce(r.started_at, now())
    where r.run_key = any (v_keys)
    returning r.*
  ),
  begun as (
    insert into millrace.dag_run_step (run_key, name, place, status, phase, attempt, started_at)
    select c.run_key, s.name, s.place, 'running', 'executing', c.attempt, c.started_at
    from claimed c
    cross join lateral jsonb_to_recordset(p_known -> c.definition_hash) as s (name text, place int)
    where c.claim_token = 1 and c.attempt = 1 and c.stop_requested_at is null and c.local_dag is null
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
