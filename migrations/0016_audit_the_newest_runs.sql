-- The audit for somebody who asks often: of the newest runs only, so that its cost does not grow with the history.
-- Without a number, of all.
drop function millrace.audit();

create function millrace.audit(p_newest bigint default null) returns table (invariant text, detail text)
language sql stable
set search_path = pg_catalog
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
  where q.max_concurrency is not null and q.max_concurrency < (
    select count(*) from millrace.dag_run r
    where r.queue = q.name and r.queued_at is not null and r.status in ('not_started', 'running')
  )
$$;
