-- Returns violations of the invariants that constraints cannot express. p_newest: check only this many of the newest runs,
-- and no DAGs, so that the cost of a frequent check does not grow with the history; active runs are always checked.
-- Sequential scans are off, because the planner cannot know how few runs p_newest selects and would choose them. Turning
-- them off inflates the estimated cost, so JIT is off too: it would compile this query for seconds.
-- A total may exceed the number of stored runs, because runs are removed and retried.
create or replace function millrace.check_invariants(p_newest bigint default null) returns table (invariant text, detail text)
language sql stable
set search_path = pg_catalog
set enable_seqscan = off
set jit = off
as $$
  with oldest as materialized (
    select coalesce((select max(r.run_key) from millrace.dag_run r) - p_newest, 0) as run_key
  )
  select 'a finished run has no owner', r.run_key::text
  from millrace.dag_run r
  where r.run_key > (select o.run_key from oldest o)
    and r.finished_at is not null and (r.lease_owner is not null or r.ready_at is not null)
  union all
  select 'a run that goes on has an owner, a time to be claimed, or a place in a queue', r.run_key::text
  from millrace.dag_run r
  where r.status in ('not_started', 'running') and r.lease_owner is null and r.ready_at is null
  union all
  select 'a run that has an owner has a token', r.run_key::text
  from millrace.dag_run r
  where r.lease_owner is not null and r.claim_token < 1
  union all
  select 'no step runs in a run that has ended', s.run_key || ' ' || s.name
  from millrace.dag_run_step s
  join millrace.dag_run r on r.run_key = s.run_key
  where s.run_key > (select o.run_key from oldest o)
    and r.finished_at is not null and s.status = 'running' and s.started_at is not null
  union all
  select 'a custom queue never runs more than its limit', q.name
  from millrace.queue q
  -- Runs promoted under an earlier, higher limit may continue. The queue promotes no others until it is below the new limit.
  where coalesce(q.limit_override, q.max_concurrency) is not null and coalesce(q.limit_override, q.max_concurrency) < (
    select case when q.limit_at is null or max(r.queued_at) > q.limit_at then count(*) end
    from millrace.dag_run r
    where r.queue = q.name and r.queued_at is not null and r.status in ('not_started', 'running')
  )
  union all
  select 'a paused queue promotes nothing', q.name
  from millrace.queue q
  where q.paused_at is not null and q.paused_at < (
    select max(r.queued_at) from millrace.dag_run r
    where r.queue = q.name and r.queued_at is not null and r.status in ('not_started', 'running')
  )
  union all
  select 'what waits in a queue may not be claimed', r.run_key::text
  from millrace.dag_run r
  where r.status = 'queued' and (r.ready_at is not null or r.lease_owner is not null)
  union all
  -- A claim that began before the drain was committed may still succeed; no statement takes longer than 5 s.
  select 'a drained runner begins nothing', w.id || ' ' || r.run_key
  from millrace.worker w
  join millrace.dag_run r on r.lease_owner = w.id
  where w.drained_by is not null and r.started_at > w.draining_at + interval '5 seconds'
  union all
  select 'every run that has ended is counted', kept.status
  from (
    select r.status, count(*) as runs from millrace.dag_run r
    where r.run_key > (select o.run_key from oldest o) and r.parent_key is null and r.finished_at is not null
    group by r.status
  ) as kept
  left join millrace.run_total t on t.status = kept.status
  -- Rows of run_end that are not yet folded are counted only if the totals alone fall short.
  where case when kept.runs > coalesce(t.runs, 0) then kept.runs > coalesce(t.runs, 0) + (
    select count(*) from millrace.run_end e where e.status = kept.status
  ) else false end
  union all
  select 'an end that is counted for a DAG is counted for all', words.status
  from (
    select sum(d.succeeded) as succeeded, sum(d.failed) as failed, sum(d.cancelled) as cancelled
    from millrace.dag_total d
  ) as of_dags
  cross join lateral (
    values ('success', of_dags.succeeded), ('failed', of_dags.failed), ('cancelled', of_dags.cancelled)
  ) as words (status, runs)
  where words.runs > (
    select coalesce(sum(t.runs), 0) from millrace.run_total t
    where t.status = words.status or words.status = 'success' and t.status = 'partial_success'
  )
  union all
  select 'the newest version of a DAG is what it is now', d.file_name
  from millrace.dag d
  left join millrace.dag_version v on v.file_name = d.file_name and v.version = d.version
  where p_newest is null
    and ((v.named, v.definition_hash) is distinct from (d.file_name, d.definition_hash) or v.change = 'deleted' or v.is_surplus)
$$;
