-- Expires all leases. Only for a server that has just started and has had no other clients. Locks: runs by key.
create or replace function millrace.expire_leases() returns void
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_keys bigint[];
begin
  select array_agg(held.run_key) into v_keys
  from (
    select r.run_key from millrace.dag_run r where r.lease_owner is not null order by r.run_key for no key update
  ) as held;
  update millrace.dag_run set lease_until = '-infinity' where run_key = any (v_keys) and lease_owner is not null;
end
$$;
