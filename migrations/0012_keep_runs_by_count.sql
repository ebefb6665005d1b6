-- A limit on how many runs of a DAG are kept. A new run notes that there may be one too many; the tick looks only at what
-- is noted.
create table millrace.surplus_history (
  dag_name text primary key,
  keep int not null,
  constraint surplus_history_keep_check check (keep > 0)
);

-- As before, and a root run of a DAG with a limit on its history notes that there may be a surplus. Answers {"result": "created" | "repeated" | "exists" | "already_running" | "not_allowed", "runKey"},
-- and for a repeated request "runId".
-- A child needs the valid claim of its parent; an id that exists already below the same root is the same child.
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
  if not v_is_child and jsonb_typeof(p -> 'histRetentionRuns') = 'number' then
    insert into millrace.surplus_history (dag_name, keep) values (p ->> 'dagName', (p ->> 'histRetentionRuns')::int)
    on conflict (dag_name) do update set keep = excluded.keep;
  end if;
  if v_is_queued then
    perform millrace.promote_queue(v_queue);
  else
    perform pg_notify('millrace_work', '');
  end if;
  return jsonb_build_object('result', 'created', 'runKey', v_key::text);
end
$$;

-- Removes the oldest root runs of DAGs that have more than they keep, with their trees, unless a part of one lives. The
-- note goes when nothing is left to remove. Relies on dag_run_dag_idx. Returns the keys of what is gone.
create function millrace.remove_surplus_runs(p_limit int) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_dag text;
  v_keep int;
  v_found int;
  v_roots bigint[];
  v_gone bigint[] := '{}';
  v_keys jsonb;
begin
  for v_dag, v_keep in
    select s.dag_name, s.keep from millrace.surplus_history s
    order by s.dag_name
    limit p_limit
    for update skip locked
  loop
    select count(*), coalesce(array_agg(old.run_key) filter (where old.has_ended), '{}') into v_found, v_roots
    from (
      select r.run_key,
        r.finished_at is not null
        and not exists (
          select from millrace.dag_run c where c.root_key = r.run_key and c.finished_at is null
        ) as has_ended
      from millrace.dag_run r
      where r.dag_name = v_dag and r.parent_key is null
      order by r.created_at desc, r.run_key desc
      offset v_keep
      limit p_limit
    ) as old;
    if v_found = 0 then
      delete from millrace.surplus_history s where s.dag_name = v_dag;
    end if;
    v_gone := v_gone || v_roots;
    exit when cardinality(v_gone) >= p_limit;
  end loop;
  -- A run that is being tried again at this moment is locked, and has not ended when the lock is free.
  select coalesce(array_agg(held.run_key), '{}') into v_roots
  from (
    select r.run_key from millrace.dag_run r
    where r.run_key = any (v_gone) and r.finished_at is not null
    for update skip locked
  ) as held;
  select coalesce(jsonb_agg(r.run_key::text), '[]') into v_keys
  from millrace.dag_run r
  where r.run_key = any (v_roots) or r.root_key = any (v_roots);
  delete from millrace.dag_run where run_key = any (v_roots);
  return v_keys;
end
$$;
