-- What runners call: claim, renew, record. Every write is fenced by the token of its claim.

-- Everything that a runner must know of a run, times in milliseconds since 1970, keys as text.
create function millrace.describe_run(r millrace.dag_run, p_known text[]) returns jsonb
language sql stable
set search_path = pg_catalog
as $$
  select jsonb_build_object(
    'runKey', r.run_key::text, 'token', r.claim_token::text, 'runId', r.run_id, 'dagName', r.dag_name,
    'fileName', r.file_name, 'definitionHash', r.definition_hash, 'document', r.document,
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

-- Claims up to p_count runs: oldest first within priority, labels matching. Relies on dag_run_claim_idx; skipping what
-- others hold, and materialised so that rows are locked once.
create function millrace.claim_runs(p_owner text, p_labels jsonb, p_count int, p_lease_ms int, p_known jsonb)
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
    millrace.describe_run(claimed, array(select jsonb_array_elements_text(p_known))) order by run_key
  ), '[]')
  from claimed
$$;

-- Renews the leases of a runner and its heartbeat. Answers with the runs that are lost, and those told to stop.
create function millrace.renew_leases(p_owner text, p_claims jsonb, p_lease_ms int, p_worker jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_answer jsonb;
begin
  insert into millrace.worker (id, labels, host, pid, slots, heartbeat_at, draining_at)
  values (
    p_owner, coalesce(p_worker -> 'labels', '{}'), coalesce(p_worker ->> 'host', ''), (p_worker ->> 'pid')::int,
    coalesce((p_worker ->> 'slots')::int, 0), clock_timestamp(),
    case when (p_worker ->> 'draining')::boolean then clock_timestamp() end
  )
  on conflict (id) do update
  set heartbeat_at = excluded.heartbeat_at, labels = excluded.labels,
    draining_at = coalesce(millrace.worker.draining_at, excluded.draining_at);
  with given as materialized (
    select c."runKey" as run_key, c.token from jsonb_to_recordset(p_claims) as c ("runKey" bigint, token bigint)
  ),
  held as materialized (
    select r.run_key from millrace.dag_run r join given g on g.run_key = r.run_key and g.token = r.claim_token
    where r.lease_owner = p_owner
    order by r.run_key
    for no key update of r
  ),
  renewed as (
    update millrace.dag_run r
    set lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
    from held
    where r.run_key = held.run_key
    returning r.run_key, r.stop_requested_at
  )
  select jsonb_build_object(
    'lost', coalesce(jsonb_agg(g.run_key::text) filter (where renewed.run_key is null), '[]'),
    'stopping', coalesce(
      jsonb_agg(jsonb_build_object('runKey', g.run_key::text, 'at', millrace.ms(renewed.stop_requested_at)))
        filter (where renewed.stop_requested_at is not null),
      '[]'
    ),
    'now', millrace.ms(clock_timestamp())
  )
  into v_answer
  from given g
  left join renewed on renewed.run_key = g.run_key;
  return v_answer;
end
$$;

-- The group commit of the journal. Items of runs whose token is no longer valid change nothing and are answered as
-- lost. Recording the same item twice changes nothing.
create function millrace.record(p_batch jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_held bigint[];
  v_lost jsonb;
  v_queue text;
  v_has_parent boolean;
begin
  with given as materialized (
    select i."runKey" as run_key, i.token from jsonb_to_recordset(p_batch) as i ("runKey" bigint, token bigint)
  ),
  held as materialized (
    select r.run_key from millrace.dag_run r join given g on g.run_key = r.run_key and g.token = r.claim_token
    where r.lease_owner is not null
    order by r.run_key
    for no key update of r
  )
  select coalesce(array_agg(held.run_key), '{}'),
    coalesce(jsonb_agg(g.run_key::text) filter (where held.run_key is null), '[]')
  into v_held, v_lost
  from given g
  left join held on held.run_key = g.run_key;

  insert into millrace.dag_run_step (
    run_key, name, place, status, phase, attempt, retry_count, done_count, wait_until, exit_code, error, tolerated,
    outputs, conditions, started_at, finished_at
  )
  select i."runKey", s.name, s.place, s.status, s.phase, s.attempt, s."retryCount", s."doneCount",
    millrace.at(s."waitUntil"), s."exitCode", coalesce(s.error, ''), coalesce(s.tolerated, false),
    coalesce(s.outputs, '{}'), coalesce(s.conditions, '[]'), millrace.at(s."startedAt"), millrace.at(s."finishedAt")
  from jsonb_to_recordset(p_batch) as i ("runKey" bigint, steps jsonb)
  cross join jsonb_to_recordset(i.steps) as s (
    name text, place int, status text, phase text, attempt int, "retryCount" int, "doneCount" int,
    "waitUntil" float8, "exitCode" int, error text, tolerated boolean, outputs jsonb, conditions jsonb,
    "startedAt" float8, "finishedAt" float8
  )
  where i."runKey" = any (v_held)
  on conflict (run_key, name) do update
  set place = excluded.place, status = excluded.status, phase = excluded.phase, attempt = excluded.attempt,
    retry_count = excluded.retry_count, done_count = excluded.done_count, wait_until = excluded.wait_until,
    exit_code = excluded.exit_code, error = excluded.error, tolerated = excluded.tolerated,
    outputs = excluded.outputs, conditions = excluded.conditions, started_at = excluded.started_at,
    finished_at = excluded.finished_at;

  update millrace.dag_run r
  set inputs = coalesce(i.run -> 'inputs', r.inputs),
    checked = coalesce((i.run ->> 'checked')::boolean, r.checked),
    ending = coalesce(i.run ->> 'ending', r.ending),
    last_start_at = coalesce(millrace.at((i.run ->> 'lastStartAt')::float8), r.last_start_at),
    -- A loss is forgotten when an attempt came to its end under this owner: one that kills its runner never does.
    lost_count = case when (i.run ->> 'survived')::boolean then 0 else r.lost_count end,
    status = coalesce(i.finish ->> 'status', r.status),
    error = coalesce(nullif(i.finish ->> 'error', ''), r.error),
    finished_at = case when i.finish is not null then now() end,
    lease_owner = case when i.finish is null and i.release is null then r.lease_owner end,
    lease_until = case when i.finish is null and i.release is null then r.lease_until end,
    ready_at = case when i.release is not null then coalesce(millrace.at((i.release ->> 'readyAtMs')::float8), now()) end
  from jsonb_to_recordset(p_batch) as i ("runKey" bigint, run jsonb, finish jsonb, release jsonb)
  where r.run_key = i."runKey" and r.run_key = any (v_held)
    and (i.run is not null or i.finish is not null or i.release is not null);

  for v_queue in
    select distinct r.queue
    from jsonb_to_recordset(p_batch) as i ("runKey" bigint, finish jsonb)
    join millrace.dag_run r on r.run_key = i."runKey"
    where i.finish is not null and r.run_key = any (v_held) and r.queue is not null
    order by 1
  loop
    perform millrace.promote_queue(v_queue);
  end loop;

  select bool_or(i.finish is not null and r.parent_key is not null) into v_has_parent
  from jsonb_to_recordset(p_batch) as i ("runKey" bigint, finish jsonb)
  join millrace.dag_run r on r.run_key = i."runKey";
  if v_has_parent then
    perform pg_notify('millrace_signal', '');
  end if;
  if exists (select from jsonb_to_recordset(p_batch) as i (release jsonb) where i.release is not null) then
    perform pg_notify('millrace_work', '');
  end if;
  return jsonb_build_object('lost', v_lost);
end
$$;
