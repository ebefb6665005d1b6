-- As before, but the time is asked for once: a volatile function cannot bound an index scan, and each tick read the
-- expiry of every run.
create or replace function millrace.remove_expired_runs(p_limit int) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_roots bigint[];
  v_keys jsonb;
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
  select coalesce(jsonb_agg(r.run_key::text), '[]') into v_keys
  from millrace.dag_run r
  where r.run_key = any (v_roots) or r.root_key = any (v_roots);
  delete from millrace.dag_run where run_key = any (v_roots);
  return v_keys;
end
$$;
