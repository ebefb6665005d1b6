-- The queue of the DAG, for a run that its caller has put into another. The maxActiveRuns of a DAG hold over all of its
-- runs in queues without a limit of their own, and over those in queues that their caller chose: who may only enqueue
-- raises no limit. A queue of the settings, named by the file, has the limit of the settings alone.
alter table millrace.dag_run add column home_queue text;
-- Few runs are elsewhere than at home. Both indexes are asked by two columns, so that they are chosen before there are
-- statistics, and not those of all runs that wait or go on.
create index dag_run_elsewhere_idx on millrace.dag_run (home_queue, dag_name, status, queue)
  where home_queue is not null and status in ('queued', 'not_started', 'running');
create index dag_run_guest_idx on millrace.dag_run (queue, home_queue)
  where home_queue is not null and status = 'queued';

-- Promotes in some queues, each named once, and in those whose runs share a limit of a DAG with them. All are locked before the first
-- count, by name, because both the queue of a run and that of its DAG bound it. Relies on dag_run_elsewhere_idx and
-- dag_run_guest_idx.
create function millrace.promote_some(p_names text[]) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_is_shared boolean;
  v_names text[] := p_names;
  v_name text;
  v_count int := 0;
begin
  -- Mostly there is no such queue, and if there is, nobody is elsewhere.
  v_is_shared := case when exists (select from millrace.queue q where q.name = any (p_names)) then
    exists (
      select from millrace.dag_run r where r.queue = any (p_names) and r.home_queue > '' and r.status = 'queued'
    ) or exists (
      select from millrace.dag_run r where r.home_queue = any (p_names) and r.dag_name > '' and r.status = 'queued'
    ) end;
  if v_is_shared is null then
    return 0;
  end if;
  if v_is_shared then
    select array_agg(related.name order by related.name) into v_names
    from (
      select unnest(p_names) as name
      union
      select r.home_queue from millrace.dag_run r
      where r.queue = any (p_names) and r.home_queue > '' and r.status = 'queued'
      union
      select r.queue from millrace.dag_run r
      where r.home_queue = any (p_names) and r.dag_name > '' and r.status = 'queued'
    ) as related;
  end if;
  perform from millrace.queue q where q.name = any (v_names) order by q.name for update;
  foreach v_name in array v_names loop
    v_count := v_count + millrace.promote_within(v_name, v_names);
  end loop;
  if v_count > 0 then
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$$;

-- Moves runs of one queue from queued to claimable, first in first out within priority, never over a limit. A run that
-- waits for its DAG lets others pass. The caller has locked the queues p_held; runs of other DAGs that came since are
-- left to their own statement. Relies on dag_run_queued_idx, dag_run_active_idx and dag_run_elsewhere_idx.
create function millrace.promote_within(p_queue text, p_held text[]) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_run record;
  v_active int;
  v_of_dag int;
  v_full text[] := '{}';
  v_count int := 0;
begin
  loop
    select r.run_key, r.dag_name, r.home_queue, q.max_concurrency, greatest(r.max_active_runs, 1) as most
    into v_run
    from millrace.dag_run r
    join millrace.queue q on q.name = r.queue
    where r.queue = p_queue and r.status = 'queued' and r.dag_name <> all (v_full)
      and (r.home_queue is null or r.home_queue = any (p_held))
    order by r.priority desc, r.run_key
    limit 1
    for update of r skip locked;
    exit when not found;
    select count(*) into v_active
    from millrace.dag_run r
    where r.queue = p_queue and r.status in ('not_started', 'running');
    exit when v_active >= coalesce(v_run.max_concurrency, v_run.most);
    if v_run.home_queue is not null or v_run.max_concurrency is null then
      select count(*) into v_of_dag
      from millrace.dag_run r
      where r.home_queue = coalesce(v_run.home_queue, p_queue) and r.dag_name = v_run.dag_name
        and r.status in ('not_started', 'running');
      if v_run.home_queue is null then
        v_of_dag := v_of_dag + v_active;
      else
        v_of_dag := v_of_dag + (
          select count(*) from millrace.dag_run r
          where r.queue = v_run.home_queue and r.dag_name = v_run.dag_name and r.home_queue is null
            and r.status in ('not_started', 'running')
        );
      end if;
      if v_of_dag >= v_run.most then
        v_full := v_full || v_run.dag_name;
        continue;
      end if;
    end if;
    update millrace.dag_run set status = 'not_started', ready_at = now() where run_key = v_run.run_key;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;

create or replace function millrace.promote_queue(p_queue text) returns integer
language sql
set search_path = pg_catalog
as $$
  select millrace.promote_some(array[p_queue])
$$;

-- The safety net of the tick: queues that have somebody waiting.
create or replace function millrace.promote_queues(p_limit integer) returns integer
language sql
set search_path = pg_catalog
as $$
  select millrace.promote_some(array(
    select distinct r.queue from millrace.dag_run r where r.status = 'queued' order by 1 limit p_limit
  ))
$$;

-- Promotes in queues of new runs, which may be new too.
create function millrace.promote_new(p_names text[]) returns void
language plpgsql
set search_path = pg_catalog
as $$
begin
  insert into millrace.queue (name)
  select distinct n from unnest(p_names) as n where n is not null order by n
  on conflict (name) do nothing;
  perform millrace.promote_some(array(select distinct n from unnest(p_names) as n where n is not null));
end
$$;

-- Makes one run. Answers {"result": "created" | "repeated" | "exists" | "already_running" | "not_allowed" | "changed",
-- "runKey"}, and for a repeated request "runId".
-- A child needs the valid claim of its parent; an id that exists already below the same root is the same child.
-- A request without a spec means the file as it is stored: when its definition is no longer the one that the caller
-- knows, the answer is "changed", and nothing is made. homeQueue: the queue of the DAG, when the caller chose another. promotes
-- (true): whether the queue is looked at; else the caller does so when all runs are made.
create or replace function millrace.create_run(p jsonb) returns jsonb
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
  -- Null for a run in the queue of its DAG.
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
    run_id, dag_name, file_name, definition_hash, document, params_given, status, trigger_type, queue,
    home_queue, max_active_runs, priority, labels, root_key, parent_key, parent_step, parent_round, depth, schedule_kind,
    scheduled_at, hist_retention_days, idempotency_key, ready_at, queued_at
  )
  values (
    p ->> 'runId', p ->> 'dagName', p ->> 'fileName', p ->> 'definitionHash', p ->> 'document', p ->> 'params',
    case when v_is_queued then 'queued' else 'not_started' end, p ->> 'trigger', v_queue,
    v_home, greatest(coalesce((p ->> 'maxActiveRuns')::int, 1), 1), coalesce((p ->> 'priority')::int, 0),
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
  if not v_is_child and jsonb_typeof(p -> 'histRetentionRuns') = 'number' then
    insert into millrace.surplus_history (dag_name, keep) values (p ->> 'dagName', (p ->> 'histRetentionRuns')::int)
    on conflict (dag_name) do update set keep = excluded.keep;
  end if;
  if v_is_queued then
    if coalesce((p ->> 'promotes')::boolean, true) then
      if v_home is null then
        insert into millrace.queue (name) values (v_queue) on conflict (name) do nothing;
        perform millrace.promote_some(array[v_queue]);
      else
        perform millrace.promote_new(array[v_queue, v_home]);
      end if;
    end if;
  else
    perform pg_notify('millrace_work', '');
  end if;
  return jsonb_build_object('result', 'created', 'runKey', v_key::text);
end
$$;

-- The group commit of the journal. Items of runs whose token is no longer valid change nothing and are answered as
-- lost. Recording the same item twice changes nothing. Runs are locked in the order of their keys.
create or replace function millrace.record(p_batch jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_item record;
  v_run record;
  v_lost jsonb := '[]';
  v_queues text[] := '{}';
  v_ends_child boolean := false;
  v_gives_back boolean := false;
begin
  for v_item in
    select i."runKey" as run_key, i.token, i.steps, i.run, i.finish, i.release
    from jsonb_to_recordset(p_batch) as i (
      "runKey" bigint, token bigint, steps jsonb, run jsonb, finish jsonb, release jsonb
    )
    order by i."runKey"
  loop
    if v_item.run is null and v_item.finish is null and v_item.release is null then
      perform from millrace.dag_run r
      where r.run_key = v_item.run_key and r.claim_token = v_item.token and r.lease_owner is not null
      for no key update;
    else
      update millrace.dag_run r
      set inputs = coalesce(v_item.run -> 'inputs', r.inputs),
        checked = coalesce((v_item.run ->> 'checked')::boolean, r.checked),
        ending = coalesce(v_item.run ->> 'ending', r.ending),
        last_start_at = coalesce(millrace.at((v_item.run ->> 'lastStartAt')::float8), r.last_start_at),
        -- A loss is forgotten when an attempt came to its end under this owner: one that kills its runner never does.
        -- The third is not: the run is only being ended.
        lost_count = case
          when (v_item.run ->> 'survived')::boolean and r.lost_count < 3 then 0 else r.lost_count
        end,
        status = coalesce(v_item.finish ->> 'status', r.status),
        error = coalesce(nullif(v_item.finish ->> 'error', ''), r.error),
        finished_at = case when v_item.finish is not null then now() end,
        lease_owner = case when v_item.finish is null and v_item.release is null then r.lease_owner end,
        lease_until = case when v_item.finish is null and v_item.release is null then r.lease_until end,
        ready_at = case
          when v_item.release is not null
          then coalesce(millrace.at((v_item.release ->> 'readyAtMs')::float8), now())
        end
      where r.run_key = v_item.run_key and r.claim_token = v_item.token and r.lease_owner is not null
      returning r.queue, r.home_queue, r.parent_key into v_run;
    end if;
    if not found then
      v_lost := v_lost || to_jsonb(v_item.run_key::text);
      continue;
    end if;
    if v_item.finish is not null then
      v_queues := v_queues || v_run.queue || v_run.home_queue;
      v_ends_child := v_ends_child or v_run.parent_key is not null;
    end if;
    v_gives_back := v_gives_back or v_item.release is not null;

    insert into millrace.dag_run_step (
      run_key, name, place, status, phase, attempt, retry_count, done_count, wait_until, exit_code, error, tolerated,
      outputs, conditions, started_at, finished_at
    )
    select v_item.run_key, s.name, s.place, s.status, s.phase, s.attempt, s."retryCount", s."doneCount",
      millrace.at(s."waitUntil"), s."exitCode", coalesce(s.error, ''), coalesce(s.tolerated, false),
      coalesce(s.outputs, '{}'), coalesce(s.conditions, '[]'), millrace.at(s."startedAt"), millrace.at(s."finishedAt")
    from jsonb_to_recordset(v_item.steps) as s (
      name text, place int, status text, phase text, attempt int, "retryCount" int, "doneCount" int,
      "waitUntil" float8, "exitCode" int, error text, tolerated boolean, outputs jsonb, conditions jsonb,
      "startedAt" float8, "finishedAt" float8
    )
    on conflict (run_key, name) do update
    set place = excluded.place, status = excluded.status, phase = excluded.phase, attempt = excluded.attempt,
      retry_count = excluded.retry_count, done_count = excluded.done_count, wait_until = excluded.wait_until,
      exit_code = excluded.exit_code, error = excluded.error, tolerated = excluded.tolerated,
      outputs = excluded.outputs, conditions = excluded.conditions, started_at = excluded.started_at,
      finished_at = excluded.finished_at;
  end loop;

  if cardinality(v_queues) > 0 then
    perform millrace.promote_some(array(select distinct q from unnest(v_queues) as q where q is not null));
  end if;
  if v_ends_child then
    perform pg_notify('millrace_signal', '');
  end if;
  if v_gives_back then
    perform pg_notify('millrace_work', '');
  end if;
  return jsonb_build_object('lost', v_lost);
end
$$;

-- Several at once; the answers stand in the order of the requests. Plain starts take no locks beforehand: their caller
-- sorts them. Queues are locked when all runs are made.
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
  perform millrace.lock_for(p_requests);
  select jsonb_agg(millrace.create_run(request || '{"promotes": false}') order by place) into v_answers
  from jsonb_array_elements(p_requests) with ordinality as given (request, place);
  perform millrace.promote_new(array(
    select unnest(array[r ->> 'queue', r ->> 'homeQueue']) from jsonb_array_elements(p_requests) as r
    where r ->> 'mode' = 'enqueue'
  ));
  return v_answers;
end
$$;

-- Makes the runs of instants of one entry and moves the entry on, together or not at all. Answers null, and does
-- nothing, when somebody else serves the entry at this moment or has moved it on, or when there is something to start
-- and the DAG was suspended or changed meanwhile: who suspends a DAG waits until its runs are made. Nobody is waited
-- for. Otherwise what create_run says of each start.
-- p_due: {"fileName", "kind", "expression", "zone", "dueMs", "nextMs" (null: it never comes again), "supersedes" (runs of
-- earlier instants than the last that still wait are taken out of their queue)}.
-- p_starts: [{"runId", "atMs", "mode"}]; p_request has what they share.
create or replace function millrace.fire_schedule(p_due jsonb, p_request jsonb, p_starts jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_start jsonb;
  v_place int;
  v_answers jsonb := '[]';
begin
  select s.place into v_place
  from millrace.schedule s
  join millrace.dag d on d.file_name = s.file_name
  where s.file_name = p_due ->> 'fileName' and s.kind = p_due ->> 'kind'
    and s.expression = p_due ->> 'expression' and s.zone is not distinct from p_due ->> 'zone'
    and s.next_at = millrace.at((p_due ->> 'dueMs')::float8)
    and (
      jsonb_array_length(p_starts) = 0
      or d.suspended_at is null and d.definition_hash = p_request ->> 'definitionHash'
    )
  for no key update of s skip locked
  for share of d skip locked;
  if not found then
    return null;
  end if;
  for v_start in select start from jsonb_array_elements(p_starts) as given (start)
  loop
    v_answers := v_answers || millrace.create_run(p_request || jsonb_build_object(
      'runId', v_start ->> 'runId', 'scheduledAt', v_start -> 'atMs', 'mode', v_start ->> 'mode', 'promotes', false
    ));
  end loop;
  if p_starts @> '[{"mode": "enqueue"}]' then
    perform millrace.promote_new(array[p_request ->> 'queue', p_request ->> 'homeQueue']);
  end if;
  if (p_due ->> 'supersedes')::boolean then
    -- Whose row somebody holds waits no more: it is promoted or dequeued at this moment.
    perform millrace.dequeue_run(waiting.run_key)
    from (
      select r.run_key from millrace.dag_run r
      where r.dag_name = p_request ->> 'dagName' and r.status = 'queued' and r.trigger_type = 'schedule'
        and r.parent_key is null and r.scheduled_at < millrace.at((p_starts -> -1 ->> 'atMs')::float8)
      for no key update skip locked
    ) as waiting;
  end if;
  if p_due ->> 'nextMs' is null then
    delete from millrace.schedule s
    where s.file_name = p_due ->> 'fileName' and s.kind = p_due ->> 'kind' and s.place = v_place;
  else
    update millrace.schedule s set next_at = millrace.at((p_due ->> 'nextMs')::float8)
    where s.file_name = p_due ->> 'fileName' and s.kind = p_due ->> 'kind' and s.place = v_place;
  end if;
  return v_answers;
end
$$;

-- Asks a run and everything below it to end. Answers stopping, cancelled, or not_running. Of a large tree the tick tells
-- the rest (go_on_stopping), so that no statement takes long.
create or replace function millrace.stop_run(p_key bigint) returns text
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_most constant int := 5000;
  v_status text;
  v_at timestamptz;
begin
  select r.status into v_status from millrace.dag_run r where r.run_key = p_key for no key update;
  if v_status is null or v_status not in ('not_started', 'running') then
    return 'not_running';
  end if;
  v_at := clock_timestamp();
  perform millrace.tell_to_stop(array[p_key], v_at);
  if not millrace.stop_below(p_key, v_at, v_most) then
    insert into millrace.unfinished_stop (run_key, requested_at) values (p_key, v_at);
  end if;
  perform millrace.promote_some(array_remove(array[r.queue, r.home_queue], null))
  from millrace.dag_run r where r.run_key = p_key and r.queue is not null;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return case when v_status = 'not_started' then 'cancelled' else 'stopping' end;
end
$$;
