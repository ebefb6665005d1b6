-- The working folders among p_names that belong to no DAG and to no run of any status. A folder is named after the file, or
-- after the DAG if the run has no file, with _ for all characters but letters, digits, _ and -. The last check reads all
-- runs, but only folders of deleted DAGs get that far.
create or replace function millrace.unused_folders(p_names jsonb) returns jsonb
language plpgsql
stable
set search_path = pg_catalog
as $$
declare
  v_names text[];
begin
  select coalesce(array_agg(w.name), '{}') into v_names
  from jsonb_array_elements_text(p_names) as w (name)
  where not exists (select from millrace.dag d where d.file_name = w.name)
    and not exists (select from millrace.dag_run r where r.dag_name = w.name and r.file_name is null and r.parent_key is null);
  if cardinality(v_names) = 0 then
    return '[]';
  end if;
  return (
    select coalesce(jsonb_agg(w.name), '[]')
    from unnest(v_names) as w (name)
    where w.name <> all (array(
      select distinct regexp_replace(coalesce(r.file_name, r.dag_name), '[^A-Za-z0-9_-]', '_', 'g') from millrace.dag_run r
    ))
  );
end
$$;
