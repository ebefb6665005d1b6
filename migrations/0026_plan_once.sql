-- The body of an SQL function is planned at each call on servers before 18, and where it is called from another function
-- on 18 too; that of a PL/pgSQL function once a connection. Nothing else changes.

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

create or replace function millrace.claim_runs(p_owner text, p_labels jsonb, p_count int, p_lease_ms int, p_known jsonb)
returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_known constant text[] := array(select jsonb_array_elements_text(p_known));
  v_runs jsonb;
begin
  with free as materialized (
    select run_key
    from millrace.dag_run
    where lease_owner is null and ready_at is not null and ready_at <= now()
      and status in ('not_started', 'running') and p_labels @> labels
    order by priority desc, ready_at, run_key
    limit p_count
    for update skip locked
  ),
  claimed as (
    update millrace.dag_run r
    set status = 'running', claim_token = r.claim_token + 1, lease_owner = p_owner,
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0), ready_at = null,
      started_at = coalesce(r.started_at, now())
    from free
    where r.run_key = free.run_key
    returning r.*
  )
  select coalesce(jsonb_agg(
    case
      when claimed.traceparent is null then millrace.describe_run(claimed, v_known)
      else millrace.describe_run(claimed, v_known) || jsonb_build_object('traceparent', claimed.traceparent)
    end
    order by run_key
  ), '[]')
  into v_runs
  from claimed;
  return v_runs;
end
$$;
