-- Increments the version of a DAG when its text or name changes, and only then. A recreated DAG continues the numbering of
-- its history.
create or replace function millrace.number_version() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  if tg_op = 'INSERT' then
    new.version := 1 + coalesce(
      (select max(v.version) from millrace.dag_version v where v.file_name = new.file_name), 0
    );
  elsif (new.definition_hash, new.file_name) is distinct from (old.definition_hash, old.file_name) then
    new.version := old.version + 1;
    new.updated_at := now();
  else
    new.version := old.version;
    new.updated_at := old.updated_at;
  end if;
  return new;
end
$$;

create or replace trigger dag_number_version
before insert or update on millrace.dag
for each row execute function millrace.number_version();
