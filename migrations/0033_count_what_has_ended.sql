-- Counts what ended before ends were noted, in one reading of the history that keeps nobody from writing. What is noted
-- meanwhile is in run_end, from which nothing goes before fold_ends is there. Of runs that were retried before, only the
-- last end is known.
with kept as materialized (
  select r.file_name, r.status, count(*) as runs, max(r.finished_at) as last_at,
    max(array[extract(epoch from r.finished_at)::float8, extract(epoch from r.finished_at - r.started_at)::float8])
      filter (where r.started_at is not null) as last_duration
  from millrace.dag_run r
  where r.parent_key is null and r.finished_at is not null
    and not exists (select from millrace.run_end e where e.run_key = r.run_key and e.attempt = r.attempt)
  group by r.file_name, r.status
),
total as (
  insert into millrace.run_total (status, runs) select k.status, sum(k.runs) from kept k group by k.status
),
stored as materialized (
  select d.file_name from millrace.dag d
  where d.file_name in (select k.file_name from kept k)
  order by d.file_name
  for key share
)
insert into millrace.dag_total (file_name, succeeded, failed, cancelled, last_success_at, last_duration)
select s.file_name,
  coalesce(sum(k.runs) filter (where k.status in ('success', 'partial_success')), 0),
  coalesce(sum(k.runs) filter (where k.status = 'failed'), 0),
  coalesce(sum(k.runs) filter (where k.status = 'cancelled'), 0),
  max(k.last_at) filter (where k.status in ('success', 'partial_success')),
  make_interval(secs => (max(k.last_duration))[2])
from stored s join kept k on k.file_name = s.file_name
group by s.file_name;

-- Moves up to p_limit ends into the totals. Returns how many; 0 while somebody else does it. DAGs are locked before their
-- totals, as by whoever removes a DAG.
create function millrace.fold_ends(p_limit int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_count int;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('millrace.fold_ends', 0)) then
    return 0;
  end if;
  with ended as materialized (
    delete from millrace.run_end
    where ctid = any (array(select w.ctid from millrace.run_end w limit p_limit))
    returning file_name, status, started_at, finished_at
  ),
  total as (
    insert into millrace.run_total as t (status, runs)
    select e.status, count(*) from ended e group by e.status
    on conflict (status) do update set runs = t.runs + excluded.runs
  ),
  stored as materialized (
    select d.file_name from millrace.dag d
    where d.file_name in (select e.file_name from ended e)
    order by d.file_name
    for key share
  ),
  of_dag as (
    insert into millrace.dag_total as t
      (file_name, succeeded, failed, cancelled, last_success_at, last_duration)
    select s.file_name,
      count(*) filter (where e.status in ('success', 'partial_success')),
      count(*) filter (where e.status = 'failed'),
      count(*) filter (where e.status = 'cancelled'),
      max(e.finished_at) filter (where e.status in ('success', 'partial_success')),
      (
        array_agg(e.finished_at - e.started_at order by e.finished_at desc) filter (where e.started_at is not null)
      )[1]
    from stored s join ended e on e.file_name = s.file_name
    group by s.file_name
    on conflict (file_name) do update
    set succeeded = t.succeeded + excluded.succeeded, failed = t.failed + excluded.failed,
      cancelled = t.cancelled + excluded.cancelled,
      last_success_at = greatest(t.last_success_at, excluded.last_success_at),
      last_duration = coalesce(excluded.last_duration, t.last_duration)
  )
  select count(*) into v_count from ended;
  return v_count;
end
$$;

-- Violations of the invariants that the tables cannot express; empty when all is well. With a number, of the newest runs
-- only, for somebody who asks often: without sequential scans, which the planner likes because it does not know how few
-- they are. Totals are at least what is kept: runs go, and runs are retried.
create or replace function millrace.audit(p_newest bigint default null) returns table (invariant text, detail text)
language sql stable
set search_path = pg_catalog
set enable_seqscan = off
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
  union all
  select 'every run that has ended is counted', kept.status
  from (
    select r.status, count(*) as runs from millrace.dag_run r
    where r.run_key > (select o.run_key from oldest o) and r.parent_key is null and r.finished_at is not null
    group by r.status
  ) as kept
  left join millrace.run_total t on t.status = kept.status
  -- What waits to be counted is only looked at if need be.
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
$$;

-- Last: it keeps everybody out until all this is committed. Both have a successor in the migration before.
drop index millrace.dag_run_claim_idx, millrace.dag_run_root_id_idx;
