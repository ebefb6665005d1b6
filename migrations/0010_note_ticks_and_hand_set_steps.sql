-- Who ticks: one row a process, renewed with every tick, gone after five silent minutes. Only shown, nothing relies on it.
create table millrace.ticker (
  id text primary key,
  host text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

-- As in 0005, but a step that is set to running by hand has not begun: in a run that has ended nothing that has begun
-- still runs (see audit).
create or replace function millrace.set_step_status(p_key bigint, p_name text, p_place int, p_status text) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  perform from millrace.dag_run r
  where r.run_key = p_key and r.status in ('failed', 'cancelled', 'success', 'partial_success')
  for update;
  if not found then
    return 'running';
  end if;
  insert into millrace.dag_run_step (run_key, name, place, status, phase)
  values (p_key, p_name, p_place, p_status, case when p_status = 'running' then 'executing' end)
  on conflict (run_key, name) do update
  set status = excluded.status, phase = excluded.phase, wait_until = null,
    started_at = case when excluded.status <> 'running' then millrace.dag_run_step.started_at end;
  return 'set';
end
$$;
