-- Sets the status of a step of a finished run manually; a later retry continues from it. Returns "set" or "running".
-- For the status running, started_at is cleared: a finished run must not have a started step that is running.
-- The row of the run is updated without a change, so that its version (xmin) invalidates caches.
create or replace function millrace.set_step_status(p_key bigint, p_name text, p_place int, p_status text) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  -- guard_run_transition rejects updates of finished runs without this setting.
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
