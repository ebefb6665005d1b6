-- Marks the versions of DAGs deleted long ago as surplus, and their definitions as gc_candidate. Returns the number of
-- DAGs. Relies on dag_version_deleted_idx. Locks: versions, skipped if held, then definitions by hash.
create or replace function millrace.expire_versions(p_days int, p_limit int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_gone text[];
  v_hashes text[];
begin
  select coalesce(array_agg(ended.file_name), '{}') into v_gone
  from (
    select v.file_name from millrace.dag_version v
    where v.change = 'deleted' and not v.is_surplus
      and v.saved_at < now() - p_days * interval '1 day'
      and not exists (select from millrace.dag d where d.file_name = v.file_name)
    order by v.saved_at
    limit p_limit
    for update skip locked
  ) as ended;
  with surplus as (
    update millrace.dag_version v set is_surplus = true
    where v.file_name = any (v_gone) and not v.is_surplus
    returning v.definition_hash
  )
  select coalesce(array_agg(surplus.definition_hash), '{}') into v_hashes from surplus;
  perform millrace.mark_gc_candidates(v_hashes);
  return cardinality(v_gone);
end
$$;
