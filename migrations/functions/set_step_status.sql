-- Sets the status of a step of an ended run by hand; a later retry continues from it. Returns "set" or "running".
-- A step set to running has not begun, so started_at is cleared: nothing that has begun runs in an ended run.
-- The row of the run is rewritten unchanged, so that its version (xmin) tells caches that the run has changed.
create or replace function millrace.set_step_status(p_key bigint, p_name text, p_place int, p_status text) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  -- The guard lets a finished run be written only by who says so.
  perform set_config('millrace.retrying', p_key::text, true);
  update millrace.dag_run r set finished_at = r.finished_at
  where r.run_key = p_key and r.status in ('failed', 'cancelled', 'success', 'partial_success');
  if not found then
    return 'running';
  end if;
  perform set_config('millrace.retrying', '', true);
  insert into millrace.dag_run_step (run_key, name, place, status, phase)
  values (p_key, p_name, p_place, p_status, case when p_status = 'running' then 'executing' end)
  on conflict (run_key, name) do update
  set status = excluded.status, phase = excluded.phase, wait_until = null,
    started_at = case when excluded.status <> 'running' then millrace.dag_run_step.started_at end;
  return 'set';
end
$$;
