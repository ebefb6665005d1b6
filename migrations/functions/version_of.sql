-- The DAG version that a run was created from; null if it is not stored. A run older than every stored version gets the
-- first one with the same definition. Relies on dag_version_definition_idx.
create or replace function millrace.version_of(r millrace.dag_run) returns int
language sql stable
set search_path = pg_catalog
as $$
  select coalesce(max(v.version) filter (where v.saved_at <= r.created_at), min(v.version))
  from millrace.dag_version v
  where v.definition_hash = r.definition_hash and v.named = r.file_name and v.change <> 'deleted'
$$;
