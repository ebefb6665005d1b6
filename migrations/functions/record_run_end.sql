-- Inserts the end of a root run into run_end, which fold_ends adds to the totals. Inserts never wait for each other, as
-- updates of a total would; the primary key counts an attempt once.
create or replace function millrace.record_run_end() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  insert into millrace.run_end (run_key, attempt, file_name, status, started_at, finished_at)
  values (new.run_key, new.attempt, new.file_name, new.status, new.started_at, new.finished_at)
  on conflict do nothing;
  return null;
end
$$;

create or replace trigger dag_run_ended after update on millrace.dag_run
for each row
when (old.finished_at is null and new.finished_at is not null and new.parent_key is null)
execute function millrace.record_run_end();

-- For finished runs that are inserted, such as imported history.
create or replace trigger dag_run_inserted_ended after insert on millrace.dag_run
for each row
when (new.finished_at is not null and new.parent_key is null)
execute function millrace.record_run_end();
