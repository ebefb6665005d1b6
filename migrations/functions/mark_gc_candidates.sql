-- Marks definitions that have lost a reference, for remove_unused_definitions. Locks: definitions by hash.
create or replace function millrace.mark_gc_candidates(p_hashes text[]) returns void
language sql
set search_path = pg_catalog
as $$
  update millrace.definition set gc_candidate = true
  where hash in (
    select f.hash from millrace.definition f where f.hash = any (p_hashes) order by f.hash for no key update
  )
$$;
