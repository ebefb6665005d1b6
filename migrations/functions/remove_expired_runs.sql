-- Removes up to p_limit expired trees: finished root runs whose descendants have all finished. Returns the keys of the
-- removed runs, so that logs outside the database can be removed as well. Skips locked roots, which are being retried.
-- Relies on dag_run_expiry_idx. The time is in a subquery, because a volatile function cannot bound an index scan.
create or replace function millrace.remove_expired_runs(p_limit int) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_roots bigint[];
begin
  select coalesce(array_agg(due.run_key), '{}') into v_roots
  from (
    select r.run_key from millrace.dag_run r
    where r.expires_at < (select clock_timestamp())
      and not exists (select from millrace.dag_run c where c.root_key = r.run_key and c.finished_at is null)
    order by r.expires_at
    limit p_limit
    for update skip locked
  ) as due;
  return millrace.remove_trees(v_roots);
end
$$;
