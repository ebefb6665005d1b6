-- The trace that a run belongs to, as W3C Trace Context writes it: given by whoever started it. Null for most.
alter table millrace.dag_run add column traceparent text;

-- create_runs for requests some of which name a trace. Kept apart, so that the rest pays nothing for it.
create function millrace.create_traced_runs(p_requests jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_request jsonb;
  v_answer jsonb;
  v_answers jsonb := '[]';
begin
  for v_request in select request from jsonb_array_elements(p_requests) as given (request)
  loop
    v_answer := millrace.create_run(v_request);
    if v_answer ->> 'result' = 'created' then
      update millrace.dag_run set traceparent = v_request ->> 'traceparent'
      where run_key = (v_answer ->> 'runKey')::bigint;
    end if;
    v_answers := v_answers || jsonb_build_array(v_answer);
  end loop;
  return v_answers;
end
$$;

-- As before, and the trace of those that have one.
create or replace function millrace.claim_runs(p_owner text, p_labels jsonb, p_count int, p_lease_ms int, p_known jsonb)
returns jsonb
language sql
set search_path = pg_catalog
as $$
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
      when claimed.traceparent is null
        then millrace.describe_run(claimed, array(select jsonb_array_elements_text(p_known)))
      else millrace.describe_run(claimed, array(select jsonb_array_elements_text(p_known)))
        || jsonb_build_object('traceparent', claimed.traceparent)
    end
    order by run_key
  ), '[]')
  from claimed
$$;
