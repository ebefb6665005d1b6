-- Which of these working folders no DAG and no run has any more, in any state. A folder is named after the file, or after
-- the DAG if the run has no file, with _ for every other character. Few names reach the last check, which reads all runs:
-- those of DAGs that are gone.
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
