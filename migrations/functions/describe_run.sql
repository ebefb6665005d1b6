-- Everything that a runner needs to know about a run. Times are milliseconds since 1970, keys are text. The spec is omitted
-- if its hash is in p_known.
create or replace function millrace.describe_run(r millrace.dag_run, p_known text[]) returns jsonb
language sql stable
set search_path = pg_catalog
as $$
  select jsonb_build_object(
    'runKey', r.run_key::text, 'token', r.claim_token::text, 'runId', r.run_id, 'dagName', r.dag_name,
    'fileName', r.file_name, 'definitionHash', r.definition_hash, 'document', r.local_dag,
    'paramsGiven', r.params_given, 'inputs', r.inputs, 'attempt', r.attempt, 'depth', r.depth,
    'rootKey', coalesce(r.root_key, r.run_key)::text,
    'rootName', coalesce(root.dag_name, r.dag_name), 'rootId', coalesce(root.run_id, r.run_id),
    'parentKey', r.parent_key::text, 'parentName', parent.dag_name, 'parentId', parent.run_id,
    'parentWorkingDir', parent.inputs ->> 'workingDir',
    'startedAt', millrace.ms(r.started_at), 'checked', r.checked, 'ending', r.ending,
    'lastStartAt', millrace.ms(r.last_start_at), 'stopRequestedAt', millrace.ms(r.stop_requested_at),
    'lostCount', r.lost_count,
    'spec', case when r.definition_hash = any (p_known) then null else d.spec end, 'baseSpec', d.base_spec,
    'steps', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', s.name, 'place', s.place, 'status', s.status, 'phase', s.phase, 'attempt', s.attempt,
        'retryCount', s.retry_count, 'doneCount', s.done_count, 'waitUntil', millrace.ms(s.wait_until),
        'exitCode', s.exit_code, 'error', s.error, 'tolerated', s.tolerated, 'outputs', s.outputs,
        'conditions', s.conditions, 'startedAt', millrace.ms(s.started_at), 'finishedAt', millrace.ms(s.finished_at)
      ) order by s.place)
      from millrace.dag_run_step s where s.run_key = r.run_key
    ), '[]')
  )
  from millrace.definition d
  left join millrace.dag_run root on root.run_key = r.root_key
  left join millrace.dag_run parent on parent.run_key = r.parent_key
  where d.hash = r.definition_hash
$$;
