-- Saves the fields of the ended attempt when a new attempt begins. Keeps the latest 100 attempts.
create or replace function millrace.keep_past_attempt() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  new.past_attempts := coalesce(old.past_attempts, '[]') || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
    'attempt', old.attempt, 'status', old.status, 'startedAt', old.started_at, 'finishedAt', old.finished_at,
    'error', left(old.error, 1000)
  )));
  if jsonb_array_length(new.past_attempts) > 100 then
    new.past_attempts := new.past_attempts - 0;
  end if;
  return new;
end
$$;

create or replace trigger dag_run_attempt
before update of attempt on millrace.dag_run
for each row when (new.attempt > old.attempt)
execute function millrace.keep_past_attempt();
