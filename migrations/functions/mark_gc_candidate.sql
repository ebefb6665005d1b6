-- A DAG has left a definition: marks it for remove_unused_definitions.
create or replace function millrace.mark_gc_candidate() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  update millrace.definition set gc_candidate = true where hash = old.definition_hash;
  return null;
end
$$;

create or replace trigger dag_definition
after update of definition_hash or delete on millrace.dag
for each row execute function millrace.mark_gc_candidate();
