-- The run that an earlier request with the same idempotency key created; null if there is none.
-- PL/pgSQL, because the body of an SQL function would be planned on each call.
create or replace function millrace.find_repeated(p jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
begin
  if p ->> 'idempotencyKey' is null then
    return null;
  end if;
  return (
    select jsonb_build_object('result', 'repeated', 'runKey', r.run_key::text, 'runId', r.run_id)
    from millrace.dag_run r
    where r.dag_name = p ->> 'dagName' and r.idempotency_key = p ->> 'idempotencyKey'
  );
end
$$;
