-- Creates several runs and returns the results of create_run, in the order of the requests. Plain starts take no locks in
-- advance, because their caller sorts them. For others, all locks are taken first, in the order of lock_requests; queues
-- are locked after all runs are created.
create or replace function millrace.create_runs(p_requests jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_answers jsonb := '[]';
  v_takes_locks constant boolean := jsonb_array_length(p_requests) > 1 and p_requests @? '$[*] ? (
    @.mode == "enqueue" || @.singleton == true || @.parent.type() == "object"
  )';
begin
  if not v_takes_locks then
    return (
      select coalesce(jsonb_agg(millrace.create_run(request) order by place), '[]')
      from jsonb_array_elements(p_requests) with ordinality as given (request, place)
    );
  end if;
  perform millrace.lock_requests(p_requests);
  select jsonb_agg(millrace.create_run(request || '{"promotes": false}') order by place) into v_answers
  from jsonb_array_elements(p_requests) with ordinality as given (request, place);
  perform millrace.promote_new_runs(array(
    select unnest(array[r ->> 'queue', r ->> 'homeQueue']) from jsonb_array_elements(p_requests) as r
    where r ->> 'mode' = 'enqueue'
  ));
  return v_answers;
end
$$;
