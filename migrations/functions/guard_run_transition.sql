-- Enforces the status graph of runs on every update. A finished run changes only through retry_run and set_step_status,
-- which set millrace.retrying in their transaction. Also computes when the run expires.
create or replace function millrace.guard_run_transition() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
declare
  allowed constant text[] := array[
    'queued>not_started', 'queued>cancelled', 'not_started>queued', 'not_started>running', 'not_started>cancelled', 'not_started>failed',
    'running>success', 'running>partial_success', 'running>failed', 'running>cancelled'
  ];
  is_final constant boolean := old.status in ('failed', 'cancelled', 'success', 'partial_success');
begin
  if is_final and current_setting('millrace.retrying', true) is distinct from old.run_key::text then
    raise exception 'run % has ended: it cannot be changed', old.run_key using errcode = 'check_violation';
  end if;
  if not is_final and new.status <> old.status and not (old.status || '>' || new.status) = any (allowed) then
    raise exception 'run % cannot go from % to %', old.run_key, old.status, new.status
      using errcode = 'check_violation';
  end if;
  if new.claim_token < old.claim_token then
    raise exception 'run %: a claim token never falls', old.run_key using errcode = 'check_violation';
  end if;
  -- Negative days: keep forever. At least one hour, so that callers can still read the result.
  if new.finished_at is distinct from old.finished_at and new.parent_key is null then
    new.expires_at := case when new.hist_retention_days >= 0 then
      new.finished_at + greatest(make_interval(days => new.hist_retention_days), interval '1 hour') end;
  end if;
  return new;
end
$$;

-- The condition avoids calling the function for updates that it would let pass.
create or replace trigger dag_run_transition
before update on millrace.dag_run
for each row
when (
  old.finished_at is not null or new.finished_at is not null or new.status <> old.status
  or new.claim_token < old.claim_token
)
execute function millrace.guard_run_transition();
