-- Undoes claims whose response never reached the owner. Nothing was executed, so the steps that they marked as running are
-- reset. Locks: runs by key.
create or replace function millrace.undo_claims(p_owner text, p_claims jsonb) returns void
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_keys bigint[];
begin
  select array_agg(held.run_key) into v_keys
  from (
    select r.run_key
    from millrace.dag_run r
    join jsonb_to_recordset(p_claims) as c ("runKey" bigint, token bigint)
      on c."runKey" = r.run_key and c.token = r.claim_token
    where r.lease_owner = p_owner
    order by r.run_key
    for no key update of r
  ) as held;
  delete from millrace.dag_run_step s
  using millrace.dag_run r
  where s.run_key = any (v_keys) and r.run_key = s.run_key and r.claim_token = 1 and r.attempt = 1;
  update millrace.dag_run set lease_owner = null, lease_until = null, ready_at = now() where run_key = any (v_keys);
  perform pg_notify('millrace_work', '');
end
$$;
