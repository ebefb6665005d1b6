-- A retry begins a new attempt of a run, whose row then tells of that attempt only. What it told of the one before is
-- noted here, oldest first: [{"attempt", "status", "startedAt", "finishedAt", "error"}], the 100 latest. Runs that were
-- retried before this migration have no note of the attempts until then.

alter table millrace.dag_run add column past_attempts jsonb;

alter table millrace.dag_run add constraint dag_run_past_attempts_check
check (jsonb_array_length(past_attempts) between 1 and least(attempt - 1, 100)) not valid;

alter table millrace.dag_run validate constraint dag_run_past_attempts_check;

-- Whoever begins an attempt, the one before is noted.
create function millrace.note_attempt() returns trigger
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

create trigger dag_run_attempt
before update of attempt on millrace.dag_run
for each row when (new.attempt > old.attempt)
execute function millrace.note_attempt();
