-- The status graph of a run, enforced whoever writes. A finished run changes only through retry_run and set_step_status,
-- which say so by a setting of their own transaction. Also computes when the run expires.
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
  -- A negative number of days: forever. Nothing goes while somebody may still look at how it ended.
  if new.finished_at is distinct from old.finished_at and new.parent_key is null then
    new.expires_at := case when new.hist_retention_days >= 0 then
      new.finished_at + greatest(make_interval(days => new.hist_retention_days), interval '1 hour') end;
  end if;
  return new;
end
$$;

-- Only for updates that the guard has something to say about: others do not call the function.
create or replace trigger dag_run_transition
before update on millrace.dag_run
for each row
when (
  old.finished_at is not null or new.finished_at is not null or new.status <> old.status
  or new.claim_token < old.claim_token
)
execute function millrace.guard_run_transition();
