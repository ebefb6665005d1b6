-- Making runs, and letting queued ones start. A limit is counted in a fresh statement after the lock is held: counted
-- in the statement that takes the lock it is wrong.

-- Milliseconds since 1970 to a time and back; the wire of all functions here.
create function millrace.at(ms double precision) returns timestamptz
language sql immutable
return to_timestamp(ms / 1000.0);

create function millrace.ms(at timestamptz) returns bigint
language sql immutable
return floor(extract(epoch from at) * 1000)::bigint;

-- Moves runs of one queue from queued to claimable, first in first out within priority, never over the limit.
-- Relies on dag_run_queued_idx and dag_run_active_idx. Returns how many.
create function millrace.promote_queue(p_queue text) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_most int;
  v_active int;
  v_key bigint;
  v_count int := 0;
begin
  perform from millrace.queue q where q.name = p_queue for update;
  if not found then
    return 0;
  end if;
  loop
    select r.run_key, greatest(coalesce(q.max_concurrency, r.max_active_runs), 1)
    into v_key, v_most
    from millrace.dag_run r
    join millrace.queue q on q.name = r.queue
    where r.queue = p_queue and r.status = 'queued'
    order by r.priority desc, r.run_key
    limit 1
    for update of r skip locked;
    exit when not found;
    select count(*) into v_active
    from millrace.dag_run r
    where r.queue = p_queue and r.status in ('not_started', 'running');
    exit when v_active >= v_most;
    update millrace.dag_run set status = 'not_started', ready_at = now() where run_key = v_key;
    v_count := v_count + 1;
  end loop;
  if v_count > 0 then
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$$;

-- The safety net of the tick: queues that have somebody waiting.
create function millrace.promote_queues(p_limit int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_name text;
  v_count int := 0;
begin
  for v_name in
    select distinct r.queue from millrace.dag_run r where r.status = 'queued' order by 1 limit p_limit
  loop
    v_count := v_count + millrace.promote_queue(v_name);
  end loop;
  return v_count;
end
$$;

-- What a request with the same idempotency key has made before; null when there was none.
create function millrace.find_repeated(p jsonb) returns jsonb
language sql
set search_path = pg_catalog
as $$
  select jsonb_build_object('result', 'repeated', 'runKey', r.run_key::text, 'runId', r.run_id)
  from millrace.dag_run r
  where r.dag_name = p ->> 'dagName' and r.idempotency_key = p ->> 'idempotencyKey'
$$;

-- Makes one run. Answers {"result": "created" | "repeated" | "exists" | "already_running" | "not_allowed", "runKey"},
-- and for a repeated request "runId".
-- A child needs the valid claim of its parent; an id that exists already below the same root is the same child.
create function millrace.create_run(p jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_parent millrace.dag_run;
  v_is_child constant boolean := jsonb_typeof(p -> 'parent') = 'object';
  v_is_queued constant boolean := p ->> 'mode' = 'enqueue';
  v_root bigint;
  v_key bigint;
  v_queue constant text := p ->> 'queue';
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
    -- One at a time per DAG: the second waits here, and then sees the first.
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
  insert into millrace.definition (hash, spec, base_spec)
  values (p ->> 'definitionHash', p ->> 'spec', p ->> 'baseSpec')
  on conflict (hash) do nothing;
  if v_is_queued then
    insert into millrace.queue (name) values (v_queue) on conflict (name) do nothing;
  end if;
  insert into millrace.dag_run (
    run_id, dag_name, file_name, definition_hash, document, params_given, status, trigger_type, queue,
    max_active_runs, priority, labels, root_key, parent_key, parent_step, parent_round, depth, schedule_kind,
    scheduled_at, hist_retention_days, idempotency_key, ready_at, queued_at
  )
  values (
    p ->> 'runId', p ->> 'dagName', p ->> 'fileName', p ->> 'definitionHash', p ->> 'document', p ->> 'params',
    case when v_is_queued then 'queued' else 'not_started' end, p ->> 'trigger', v_queue,
    greatest(coalesce((p ->> 'maxActiveRuns')::int, 1), 1), coalesce((p ->> 'priority')::int, 0),
    coalesce(p -> 'labels', '{}'), v_root, v_parent.run_key, p #>> '{parent,step}',
    coalesce((p #>> '{parent,round}')::int, 0), coalesce(v_parent.depth + 1, 0), p ->> 'scheduleKind',
    millrace.at((p ->> 'scheduledAt')::float8), coalesce((p ->> 'histRetentionDays')::int, 30),
    p ->> 'idempotencyKey', case when not v_is_queued then now() end, case when v_is_queued then now() end
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
  if v_is_queued then
    perform millrace.promote_queue(v_queue);
  else
    perform pg_notify('millrace_work', '');
  end if;
  return jsonb_build_object('result', 'created', 'runKey', v_key::text);
end
$$;

-- Several at once; the answers stand in the order of the requests.
create function millrace.create_runs(p_requests jsonb) returns jsonb
language sql
set search_path = pg_catalog
as $$
  select coalesce(jsonb_agg(millrace.create_run(request) order by place), '[]')
  from jsonb_array_elements(p_requests) with ordinality as given (request, place)
$$;

-- For users, inside a transaction of their own: the run exists if and only if it commits. Returns the id of the run.
create function millrace.start_run(file_name text, params text default null, run_id text default null) returns text
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_id constant text := coalesce(run_id, gen_random_uuid()::text);
  v_answer jsonb;
begin
  select millrace.create_run(jsonb_build_object(
    'runId', v_id, 'dagName', d.dag_name, 'fileName', d.file_name, 'definitionHash', d.definition_hash,
    'spec', '', 'params', start_run.params, 'trigger', 'sql', 'mode', 'start', 'queue', coalesce(d.queue, d.dag_name),
    'maxActiveRuns', d.max_active_runs
  ))
  into v_answer
  from millrace.dag d
  where d.file_name = start_run.file_name;
  if v_answer is null then
    raise exception 'DAG "%" not found', file_name using errcode = 'no_data_found';
  end if;
  if v_answer ->> 'result' <> 'created' then
    raise exception 'run "%" of DAG "%" already exists', v_id, file_name using errcode = 'unique_violation';
  end if;
  return v_id;
end
$$;
