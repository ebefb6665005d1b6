-- Examines up to p_limit definitions marked as gc_candidate: removes their surplus versions unless a run uses the
-- definition, removes definitions without references, and clears the mark of the others. Returns how many it examined.
-- Relies on definition_gc_idx, dag_definition_idx, dag_version_definition_idx and dag_run_definition_idx. The comment of
-- the table, in 0001_definitions.sql, explains why concurrent new references are safe.
-- Locks: definitions by hash, then versions, both skipped if held.
create or replace function millrace.remove_unused_definitions(p_limit int) returns int
language plpgsql
set search_path = pg_catalog
-- When few definitions have all the runs, the planner prefers sequential scans. But most definitions examined here have no
-- runs, which the indexes show at once.
set enable_seqscan = off
set jit = off
as $$
declare
  v_noted text[];
  v_used text[];
  v_unused text[];
begin
  select coalesce(array_agg(noted.hash), '{}') into v_noted
  from (
    select f.hash from millrace.definition f
    where f.gc_candidate
    order by f.hash
    limit p_limit
    for no key update skip locked
  ) as noted;
  delete from millrace.dag_version v
  where v.ctid in (
    select o.ctid from millrace.dag_version o
    where o.definition_hash = any (v_noted) and o.is_surplus
      and not exists (select from millrace.dag_run r where r.definition_hash = o.definition_hash)
    for no key update skip locked
  );
  select coalesce(array_agg(h.hash), '{}') into v_used
  from unnest(v_noted) as h (hash)
  where exists (select from millrace.dag d where d.definition_hash = h.hash)
    or exists (select from millrace.dag_version v where v.definition_hash = h.hash)
    or exists (select from millrace.dag_run r where r.definition_hash = h.hash);
  update millrace.definition set gc_candidate = false where hash = any (v_used);
  select coalesce(array_agg(held.hash), '{}') into v_unused
  from (
    select f.hash from millrace.definition f
    where f.hash = any (v_noted) and f.hash <> all (v_used)
    order by f.hash
    for update skip locked
  ) as held;
  delete from millrace.definition f
  where f.hash = any (v_unused)
    and not exists (select from millrace.dag d where d.definition_hash = f.hash)
    and not exists (select from millrace.dag_version v where v.definition_hash = f.hash)
    and not exists (select from millrace.dag_run r where r.definition_hash = f.hash);
  return cardinality(v_noted);
end
$$;
