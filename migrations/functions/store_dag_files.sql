-- Stores the list of files in the DAG folder: [{"path", "fileName", "fault"}]. Returns false and does nothing if p_holder
-- no longer holds the lease of the folder.
create or replace function millrace.store_dag_files(p_holder text, p_files jsonb) returns boolean
language plpgsql
set search_path = pg_catalog
as $$
begin
  update millrace.dag_folder d set read_at = clock_timestamp() where d.holder = p_holder;
  if not found then
    return false;
  end if;
  delete from millrace.dag_file f
  where not exists (select from jsonb_array_elements(p_files) g where g ->> 'path' = f.path);
  insert into millrace.dag_file as f (path, file_name, fault)
  select g.path, g."fileName", g.fault from jsonb_to_recordset(p_files) as g (path text, "fileName" text, fault text)
  on conflict (path) do update set file_name = excluded.file_name, fault = excluded.fault
  where (f.file_name, f.fault) is distinct from (excluded.file_name, excluded.fault);
  return true;
end
$$;
