-- create_runs for requests with a trace. Separate, so that requests without one do not pay for it.
create or replace function millrace.create_traced_runs(p_requests jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_answers constant jsonb := millrace.create_runs(p_requests);
begin
  update millrace.dag_run r
  set traceparent = given.request ->> 'traceparent'
  from jsonb_array_elements(p_requests) with ordinality as given (request, place)
  join jsonb_array_elements(v_answers) with ordinality as told (answer, place) using (place)
  where told.answer ->> 'result' = 'created' and r.run_key = (told.answer ->> 'runKey')::bigint;
  return v_answers;
end
$$;
