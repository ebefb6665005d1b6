-- A finished run changes only by a retry, and by a step that is set by hand. The row of the run is now written anew by
-- both, so that its version (xmin) tells readers who keep what they have read whether it still holds.
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
