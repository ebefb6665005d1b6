-- Adds up to p_limit rows of run_end to the totals and deletes them. Returns how many; 0 while another caller is doing so.
-- Locks: DAGs before their totals, like the removal of a DAG.
create or replace function millrace.fold_ends(p_limit int) returns int
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
