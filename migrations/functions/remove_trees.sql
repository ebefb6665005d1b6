-- Removes root runs, which the caller has locked, with their descendants, and marks their definitions as gc_candidate.
-- Returns the keys of the removed runs. Locks: runs by key, then definitions by hash.
create or replace function millrace.remove_trees(p_roots bigint[]) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_keys bigint[];
  v_hashes text[];
begin
  perform from millrace.dag_run r where r.root_key = any (p_roots) order by r.run_key for update;
  select array_agg(gone.run_key), array_agg(distinct gone.definition_hash) into v_keys, v_hashes
  from (
    select r.run_key, r.definition_hash from millrace.dag_run r where r.run_key = any (p_roots)
    union all
    select r.run_key, r.definition_hash from millrace.dag_run r where r.root_key = any (p_roots)
  ) as gone;
  perform from millrace.definition f where f.hash = any (v_hashes) order by f.hash for no key update;
  update millrace.definition set gc_candidate = true where hash = any (v_hashes) and not gc_candidate;
  delete from millrace.dag_run where run_key = any (p_roots);
  return coalesce((select jsonb_agg(key::text) from unnest(v_keys) as key), '[]');
end
$$;
