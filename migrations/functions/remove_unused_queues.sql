-- Removes up to p_limit unused queues. A queue is unused if neither settings nor users limit or pause it, no DAG uses it,
-- and it is neither the queue nor the home queue of a queued or active run. Finished runs need no queue, and a retry
-- creates none. Returns how many were removed.
-- An enqueue creates queue and run in one transaction, which the checks cannot see before its commit. But it locks the
-- table: so this locks the table against new rows first, and removes nothing if that lock is not free. Skips locked rows.
-- Relies on dag_run_queued_idx, dag_run_active_idx and dag_run_elsewhere_idx.
create or replace function millrace.remove_unused_queues(p_limit int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_count int;
begin
  begin
    lock table millrace.queue in share row exclusive mode nowait;
  exception when lock_not_available then
    return 0;
  end;
  delete from millrace.queue
  where name in (
    select q.name
    from millrace.queue q
    where q.max_concurrency is null and q.limit_override is null and q.paused_at is null
      and not exists (select from millrace.dag d where coalesce(d.queue, d.dag_name) = q.name or d.dag_name = q.name)
      and not exists (select from millrace.dag_run r where r.queue = q.name and r.status = 'queued')
      and not exists (select from millrace.dag_run r where r.queue = q.name and r.status in ('not_started', 'running'))
      and not exists (
        select from millrace.dag_run r
        where r.home_queue = q.name and r.dag_name > '' and r.status in ('queued', 'not_started', 'running')
      )
    order by q.name
    limit p_limit
    for update of q skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
