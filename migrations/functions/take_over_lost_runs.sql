-- Makes runs with expired leases claimable. Returns how many. After three lost runners in a row, the run is claimed once
-- more, only to be ended and to have its child runs stopped. If that runner is lost too, the run fails here.
-- For one lease period after a restart of the server nothing is taken over, because owners could not renew while it was
-- down. Exception: expire_leases declares that there are no owners. Skips locked runs.
create or replace function millrace.take_over_lost_runs(p_limit integer, p_lease_ms integer) returns integer
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_count int;
  v_owners_had_time boolean :=
    pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => p_lease_ms / 1000.0);
begin
  with lost as materialized (
    select r.run_key, r.lost_count from millrace.dag_run r
    where r.lease_owner is not null and r.lease_until < clock_timestamp()
      and (v_owners_had_time or r.lease_until = '-infinity')
    order by r.lease_until
    limit p_limit
    for no key update skip locked
  ),
  steps as (
    update millrace.dag_run_step s
    set status = 'failed', phase = null, error = 'runner lost', finished_at = now()
    from lost
    where s.run_key = lost.run_key and lost.lost_count >= 3 and s.status = 'running'
  ),
  stops as (
    insert into millrace.unfinished_stop (run_key, requested_at)
    select lost.run_key, clock_timestamp() from lost
    where lost.lost_count >= 2
      and exists (select from millrace.dag_run c where c.parent_key = lost.run_key and c.finished_at is null)
  )
  update millrace.dag_run r
  set lease_owner = null, lease_until = null, lost_count = r.lost_count + 1,
    status = case when r.lost_count >= 3 then 'failed' else r.status end,
    ending = case when r.lost_count >= 3 then coalesce(r.ending, 'runner_lost') else r.ending end,
    error = case when r.lost_count >= 3 then 'the run lost its runner three times in a row' else r.error end,
    finished_at = case when r.lost_count >= 3 then now() end,
    ready_at = case when r.lost_count < 3 then now() end
  from lost
  where r.run_key = lost.run_key;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform pg_notify('millrace_signal', '');
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$$;
