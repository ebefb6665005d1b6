-- Creates one run. Returns {"result": "created" | "repeated" | "exists" | "already_running" | "not_allowed" | "changed",
-- "runKey"}, and for a repeated request also "runId".
-- A child requires a valid claim of its parent; an id that already exists below the same root means the same child.
-- Without a spec the request refers to the stored file: if its definition is not the one that the caller knows, the result
-- is "changed" and nothing is created. homeQueue: the queue of the DAG, if the caller chose another one. promotes: false
-- if the caller promotes after creating all its runs.
-- Locks: the DAG if it is a singleton, the parent, the definition, the note in history_trim, the queue.
create or replace function millrace.create_run(p jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_parent millrace.dag_run;
  v_is_child constant boolean := jsonb_typeof(p -> 'parent') is not distinct from 'object';
  v_is_queued constant boolean := p ->> 'mode' = 'enqueue';
  v_root bigint;
  v_key bigint;
  v_queue constant text := p ->> 'queue';
  -- Null for runs in the queue of their DAG.
  v_home constant text := nullif(p ->> 'homeQueue', p ->> 'queue');
  v_repeated jsonb;
begin
  v_repeated := millrace.find_repeated(p);
  if v_repeated is not null then
    return v_repeated;
  end if;
  if v_is_child then
    select * into v_parent from millrace.dag_run r
    where r.run_key = (p #>> '{parent,runKey}')::bigint and r.claim_token = (p #>> '{parent,token}')::bigint
      and r.lease_owner is not null and r.stop_requested_at is null
    for share;
    if not found then
      return jsonb_build_object('result', 'not_allowed');
    end if;
    v_root := coalesce(v_parent.root_key, v_parent.run_key);
  end if;
  if coalesce((p ->> 'singleton')::boolean, false) then
    -- Serializes singleton starts of a DAG: the second caller waits here, then sees the run of the first.
    perform pg_advisory_xact_lock(hashtextextended('millrace.singleton.' || (p ->> 'dagName'), 0));
    v_repeated := millrace.find_repeated(p);
    if v_repeated is not null then
      return v_repeated;
    end if;
    if exists (
      select from millrace.dag_run r
      where r.dag_name = p ->> 'dagName' and r.status in ('not_started', 'running', 'queued')
    ) then
      return jsonb_build_object('result', 'already_running');
    end if;
  end if;
  if p ->> 'spec' is not null then
    loop
      perform from millrace.definition f where f.hash = p ->> 'definitionHash' for key share;
      exit when found;
      insert into millrace.definition (hash, spec, base_spec)
      values (p ->> 'definitionHash', p ->> 'spec', p ->> 'baseSpec')
      on conflict (hash) do nothing;
      exit when found;
    end loop;
  else
    perform from millrace.dag d
    join millrace.definition f on f.hash = d.definition_hash
    where d.file_name = p ->> 'fileName' and d.definition_hash = p ->> 'definitionHash'
    for key share of f;
    if not found then
      return jsonb_build_object('result', 'changed');
    end if;
  end if;
  insert into millrace.dag_run (
    run_id, dag_name, file_name, definition_hash, local_dag, params_given, status, trigger_type, queue,
    home_queue, max_active_runs, priority, labels, root_key, parent_key, parent_step, parent_iteration, depth, schedule_kind,
    scheduled_at, hist_retention_days, idempotency_key, ready_at, queued_at, triggered_by
  )
  values (
    p ->> 'runId', p ->> 'dagName', p ->> 'fileName', p ->> 'definitionHash', p ->> 'document', p ->> 'params',
    case when v_is_queued then 'queued' else 'not_started' end, p ->> 'trigger', v_queue,
    v_home, greatest(coalesce((p ->> 'maxActiveRuns')::int, 1), 1), coalesce((p ->> 'priority')::int, 0),
    coalesce(p -> 'labels', '{}'), v_root, v_parent.run_key, p #>> '{parent,step}',
    coalesce((p #>> '{parent,round}')::int, 0), coalesce(v_parent.depth + 1, 0), p ->> 'scheduleKind',
    millrace.at((p ->> 'scheduledAt')::float8), coalesce((p ->> 'histRetentionDays')::int, 30),
    p ->> 'idempotencyKey', case when not v_is_queued then now() end, case when v_is_queued then now() end,
    p ->> 'triggeredBy'
  )
  on conflict do nothing
  returning run_key into v_key;
  if v_key is null then
    v_repeated := millrace.find_repeated(p);
    if v_repeated is not null then
      return v_repeated;
    end if;
    select r.run_key into v_key from millrace.dag_run r
    where r.run_id = p ->> 'runId'
      and (case when v_is_child then r.root_key = v_root else r.parent_key is null and r.dag_name = p ->> 'dagName' end);
    return jsonb_build_object('result', 'exists', 'runKey', v_key::text);
  end if;
  if not v_is_child and jsonb_typeof(p -> 'histRetentionRuns') = 'number' then
    insert into millrace.history_trim (dag_name, keep) values (p ->> 'dagName', (p ->> 'histRetentionRuns')::int)
    on conflict (dag_name) do update set keep = excluded.keep;
  end if;
  if v_is_queued then
    if coalesce((p ->> 'promotes')::boolean, true) then
      if v_home is null then
        insert into millrace.queue (name) values (v_queue) on conflict (name) do nothing;
        perform millrace.promote_in_queues(array[v_queue]);
      else
        perform millrace.promote_new_runs(array[v_queue, v_home]);
      end if;
    end if;
  else
    perform pg_notify('millrace_work', '');
  end if;
  return jsonb_build_object('result', 'created', 'runKey', v_key::text);
end
$$;
