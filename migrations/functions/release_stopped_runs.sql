-- Makes runs claimable that were told to stop while they had no owner, so that a runner ends them. Skips locked runs.
-- Returns how many.
create or replace function millrace.release_stopped_runs(p_limit integer) returns integer
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_count int;
begin
  with dead as materialized (
    select r.run_key from millrace.dag_run r
    where r.stop_requested_at is not null and r.status = 'running' and r.lease_owner is null
      and (r.ready_at is null or r.ready_at > now())
    limit p_limit
    for no key update skip locked
  )
  update millrace.dag_run r set ready_at = now() from dead where r.run_key = dead.run_key;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$$;
