-- For users: starts a run in the caller's transaction; the run exists if and only if that commits. Returns its id.
-- If the file changes concurrently, it is read again.
create or replace function millrace.start_run(file_name text, params text default null, run_id text default null)
returns text
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_id constant text := coalesce(run_id, gen_random_uuid()::text);
  v_answer jsonb;
begin
  loop
    select millrace.create_run(d.run_settings || jsonb_build_object(
      'runId', v_id, 'dagName', d.dag_name, 'fileName', d.file_name, 'definitionHash', d.definition_hash,
      'params', start_run.params, 'trigger', 'sql', 'triggeredBy', session_user, 'mode', 'start', 'queue', coalesce(d.queue, d.dag_name),
      'maxActiveRuns', d.max_active_runs
    ))
    into v_answer
    from millrace.dag d
    where d.file_name = start_run.file_name;
    if v_answer is null then
      raise exception 'DAG "%" not found', file_name using errcode = 'no_data_found';
    end if;
    exit when v_answer ->> 'result' <> 'changed';
  end loop;
  if v_answer ->> 'result' <> 'created' then
    raise exception 'run "%" of DAG "%" already exists', v_id, file_name using errcode = 'unique_violation';
  end if;
  return v_id;
end
$$;
