-- What the migrations have made of functions, triggers and views, with what each migration says of them.
-- Written by schema.test.ts (`-u`), to be read and reviewed; nothing runs it.

-- migrations/0034_apply_settings.sql
-- Makes these settings the ones that count, and sets the limits of the custom queues. The rows of settings are locked in
-- the order of their names, before queues.
-- p_settings: {name: value}; the others stay. p_queues: [{"name", "maxConcurrency"}], or null: they stay.
-- Returns what was different: [{"name", "before", "after", "by"}]; by: who had applied it, null for a setting that is new.
CREATE OR REPLACE FUNCTION millrace.apply_settings(p_settings jsonb, p_queues jsonb, p_by text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_name text;
  v_value text;
  v_old millrace.setting;
  v_changes jsonb := '[]';
begin
  for v_name, v_value in select s.key, s.value from jsonb_each_text(p_settings) s order by s.key
  loop
    insert into millrace.setting (name, value, applied_by) values (v_name, v_value, p_by)
    on conflict (name) do nothing;
    if found then
      v_changes := v_changes || jsonb_build_object('name', v_name, 'before', null, 'after', v_value, 'by', null);
      continue;
    end if;
    select s.* into v_old from millrace.setting s where s.name = v_name for no key update;
    if v_old.value is distinct from v_value then
      update millrace.setting s set value = v_value, applied_at = clock_timestamp(), applied_by = p_by
      where s.name = v_name;
      v_changes := v_changes || jsonb_build_object(
        'name', v_name, 'before', v_old.value, 'after', v_value, 'by', v_old.applied_by
      );
    end if;
  end loop;
  if p_queues is not null then
    perform millrace.configure_queues(p_queues);
  end if;
  return v_changes;
end
$function$;

-- migrations/0003_create_and_promote_runs.sql
-- Milliseconds since 1970 to a time and back; the wire of all functions here.
CREATE OR REPLACE FUNCTION millrace.at(ms double precision)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
RETURN to_timestamp((ms / (1000.0)::double precision));

-- migrations/0005_stop_retry_and_take_over_runs.sql
-- Violations of the invariants that the tables cannot express; empty when all is well.
-- migrations/0016_audit_the_newest_runs.sql
-- The audit for somebody who asks often: of the newest runs only, so that its cost does not grow with the history.
-- Without a number, of all.
-- migrations/0033_count_what_has_ended.sql
-- Violations of the invariants that the tables cannot express; empty when all is well. With a number, of the newest runs
-- only, for somebody who asks often: without sequential scans, which the planner likes because it does not know how few
-- they are. Totals are at least what is kept: runs go, and runs are retried.
CREATE OR REPLACE FUNCTION millrace.audit(p_newest bigint DEFAULT NULL::bigint)
 RETURNS TABLE(invariant text, detail text)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
 SET enable_seqscan TO 'off'
AS $function$
  with oldest as materialized (
    select coalesce((select max(r.run_key) from millrace.dag_run r) - p_newest, 0) as run_key
  )
  select 'a finished run has no owner', r.run_key::text
  from millrace.dag_run r
  where r.run_key > (select o.run_key from oldest o)
    and r.finished_at is not null and (r.lease_owner is not null or r.ready_at is not null)
  union all
  select 'a run that goes on has an owner, a time to be claimed, or a place in a queue', r.run_key::text
  from millrace.dag_run r
  where r.status in ('not_started', 'running') and r.lease_owner is null and r.ready_at is null
  union all
  select 'a run that has an owner has a token', r.run_key::text
  from millrace.dag_run r
  where r.lease_owner is not null and r.claim_token < 1
  union all
  select 'no step runs in a run that has ended', s.run_key || ' ' || s.name
  from millrace.dag_run_step s
  join millrace.dag_run r on r.run_key = s.run_key
  where s.run_key > (select o.run_key from oldest o)
    and r.finished_at is not null and s.status = 'running' and s.started_at is not null
  union all
  select 'a custom queue never runs more than its limit', q.name
  from millrace.queue q
  where q.max_concurrency is not null and q.max_concurrency < (
    select count(*) from millrace.dag_run r
    where r.queue = q.name and r.queued_at is not null and r.status in ('not_started', 'running')
  )
  union all
  select 'every run that has ended is counted', kept.status
  from (
    select r.status, count(*) as runs from millrace.dag_run r
    where r.run_key > (select o.run_key from oldest o) and r.parent_key is null and r.finished_at is not null
    group by r.status
  ) as kept
  left join millrace.run_total t on t.status = kept.status
  -- What waits to be counted is only looked at if need be.
  where case when kept.runs > coalesce(t.runs, 0) then kept.runs > coalesce(t.runs, 0) + (
    select count(*) from millrace.run_end e where e.status = kept.status
  ) else false end
  union all
  select 'an end that is counted for a DAG is counted for all', words.status
  from (
    select sum(d.succeeded) as succeeded, sum(d.failed) as failed, sum(d.cancelled) as cancelled
    from millrace.dag_total d
  ) as of_dags
  cross join lateral (
    values ('success', of_dags.succeeded), ('failed', of_dags.failed), ('cancelled', of_dags.cancelled)
  ) as words (status, runs)
  where words.runs > (
    select coalesce(sum(t.runs), 0) from millrace.run_total t
    where t.status = words.status or words.status = 'success' and t.status = 'partial_success'
  )
$function$;

-- migrations/0030_count_logins_first.sql
-- Counts an attempt to log in before it is looked at. p_pair, p_address and p_user name the subjects that are counted: the
-- user from this address, the address, and the user. Only the pair can be refused. Its limit drops to p_crowded_max while
-- the address or the user has many failures. Rows are locked in the order pair, address, user, here and in end_login, so
-- that two calls cannot wait for each other.
-- Returns milliseconds until the next attempt is counted; 0: this one is, and may be looked at.
CREATE OR REPLACE FUNCTION millrace.begin_login(p_pair text, p_address text, p_user text, p_limits jsonb)
 RETURNS double precision
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_window constant interval := make_interval(secs => (p_limits ->> 'windowMs')::float8 / 1000);
  v_most int := (p_limits ->> 'perUserAndAddress')::int;
  v_wait float8;
begin
  if exists (
    select from millrace.login_failure
    where since > clock_timestamp() - v_window and (
      subject = p_address and failures >= (p_limits ->> 'perAddress')::int
      or subject = p_user and failures >= (p_limits ->> 'perUser')::int)
  ) then
    v_most := (p_limits ->> 'whenCrowded')::int;
  end if;
  insert into millrace.login_failure as f (subject, failures, since) values (p_pair, 1, clock_timestamp())
  on conflict (subject) do update set
    failures = case when f.since > clock_timestamp() - v_window then f.failures + 1 else 1 end,
    since = case when f.since > clock_timestamp() - v_window then f.since else clock_timestamp() end
  where f.failures < v_most or f.since <= clock_timestamp() - v_window;
  if not found then
    select extract(epoch from f.since + v_window - clock_timestamp()) * 1000 into v_wait
    from millrace.login_failure f where f.subject = p_pair;
    return greatest(1, coalesce(v_wait, 1));
  end if;
  perform millrace.count_login(p_address, v_window);
  perform millrace.count_login(p_user, v_window);
  return 0;
end;
$function$;

-- migrations/0004_claim_and_record_runs.sql
-- Claims up to p_count runs: oldest first within priority, labels matching. Relies on dag_run_claim_idx; skipping what
-- others hold, and materialised so that rows are locked once.
-- migrations/0018_keep_who_traces_a_run.sql
-- As before, and the trace of those that have one.
-- migrations/0026_plan_once.sql
-- migrations/0028_begin_with_the_claim.sql
-- As before, and the first claim of a run begins its opening steps, so that nothing must be committed between the claim
-- and their processes. p_known: {hash of a definition that the runner knows: [{"name", "place"}]}; "begun" of an answer:
-- those of them that have begun. A local DAG has other steps than its file. Runners of the version before send an array
-- of hashes.
-- migrations/0032_count_ends_and_claim_by_labels.sql
-- Claims up to p_count runs: oldest first within priority, labels matching, skipping what others hold. The first claim of a
-- run begins its opening steps, so that nothing must be committed between the claim and their processes. p_known: {hash of a
-- definition that the runner knows: [{"name", "place"}]}; "begun" of an answer: those of them that have begun. A local DAG
-- has other steps than its file. Runners of the version before send an array of hashes.
-- Measured with 100,000 runs in front that ask for labels which the runner lacks, each poll then finding its run:
--   index by priority and time, labels compared on the row: 3,000 pages, 57 ms; growing with those runs
--   the same with the labels as last column of the index: 2,900 pages, 54 ms
--   walk from set to set of labels that anybody asks for: 4 pages for each set; 10,000 sets: 40,700 pages, 45 ms
--   every subset of the runner's labels looked up: 4 pages for each; none 3, one label 14, four labels 56 pages, 0.3 ms
-- So subsets are looked up while they are few. To lock the first runs of each set at once would be shorter, but what is
-- locked and not claimed hides from other runners. The heads of several sets are therefore merged first, then locked.
CREATE OR REPLACE FUNCTION millrace.claim_runs(p_owner text, p_labels jsonb, p_count integer, p_lease_ms integer, p_known jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  -- Of each of several sets that many more are looked at than are asked for, because others may hold the first of them.
  v_spare constant int := 20;
  v_hashes constant text[] := array(
    select jsonb_array_elements_text(p_known) where jsonb_typeof(p_known) = 'array'
    union all
    select jsonb_object_keys(p_known) where jsonb_typeof(p_known) = 'object'
  );
  v_sets constant jsonb[] := millrace.label_sets(p_labels);
  v_set constant bigint := jsonb_hash_extended(v_sets[1], 0);
  v_keys bigint[];
  v_runs jsonb;
begin
  if cardinality(v_sets) < 2 then
    select array_agg(free.run_key) into v_keys
    from (
      select r.run_key
      from millrace.dag_run r
      where r.lease_owner is null and r.ready_at is not null and r.ready_at <= now()
        and r.status in ('not_started', 'running') and jsonb_hash_extended(r.labels, 0) = v_set
        and p_labels @> r.labels
      order by r.priority desc, r.ready_at, r.run_key
      limit p_count
      for no key update skip locked
    ) as free;
  else
    select array_agg(free.run_key) into v_keys
    from (
      select r.run_key
      from unnest(v_sets) as s (labels)
      cross join lateral (
        select h.run_key, h.priority, h.ready_at
        from millrace.dag_run h
        where h.lease_owner is null and h.ready_at is not null and h.ready_at <= now()
          and h.status in ('not_started', 'running')
          and jsonb_hash_extended(h.labels, 0) = jsonb_hash_extended(s.labels, 0) and p_labels @> h.labels
        order by h.priority desc, h.ready_at, h.run_key
        limit p_count + v_spare
      ) as head
      join millrace.dag_run r on r.run_key = head.run_key
      where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
      order by head.priority desc, head.ready_at, head.run_key
      limit p_count
      for no key update of r skip locked
    ) as free;
  end if;
  if v_keys is null then
    return '[]';
  end if;
  with claimed as (
    update millrace.dag_run r
    set status = 'running', claim_token = r.claim_token + 1, lease_owner = p_owner,
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0), ready_at = null,
      started_at = coalesce(r.started_at, now())
    where r.run_key = any (v_keys)
    returning r.*
  ),
  begun as (
    insert into millrace.dag_run_step (run_key, name, place, status, phase, attempt, started_at)
    select c.run_key, s.name, s.place, 'running', 'executing', c.attempt, c.started_at
    from claimed c
    cross join lateral jsonb_to_recordset(p_known -> c.definition_hash) as s (name text, place int)
    where c.claim_token = 1 and c.attempt = 1 and c.stop_requested_at is null and c.document is null
    returning run_key, name, place
  )
  select coalesce(jsonb_agg(
    millrace.describe_run(claimed, v_hashes) || jsonb_build_object(
      'traceparent', claimed.traceparent,
      'begun', coalesce((
        select jsonb_agg(jsonb_build_object('name', b.name, 'place', b.place)) from begun b
        where b.run_key = claimed.run_key
      ), '[]')
    )
    order by run_key
  ), '[]')
  into v_runs
  from claimed;
  return v_runs;
end
$function$;

-- migrations/0029_lock_in_one_order.sql
-- Sets the custom queues and their limits to those given, [{"name", "maxConcurrency"}]. A queue that is no longer named
-- falls back to the limits of its DAGs.
CREATE OR REPLACE FUNCTION millrace.configure_queues(p_queues jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_names constant text[] := array(
    select name from jsonb_to_recordset(p_queues) as w (name text)
    union
    select q.name from millrace.queue q where q.max_concurrency is not null
  );
begin
  perform millrace.hold_queues(v_names);
  update millrace.queue q
  set max_concurrency = (
    select max(w."maxConcurrency") from jsonb_to_recordset(p_queues) as w (name text, "maxConcurrency" int)
    where w.name = q.name
  )
  where q.name = any (v_names);
end
$function$;

-- migrations/0030_count_logins_first.sql
-- Counts one more attempt of a subject, beginning anew when the window is over.
CREATE OR REPLACE FUNCTION millrace.count_login(p_subject text, p_window interval)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog'
AS $function$
  insert into millrace.login_failure as f (subject, failures, since) values (p_subject, 1, clock_timestamp())
  on conflict (subject) do update set
    failures = case when f.since > clock_timestamp() - p_window then f.failures + 1 else 1 end,
    since = case when f.since > clock_timestamp() - p_window then f.since else clock_timestamp() end
$function$;

-- migrations/0007_create_users_and_keys.sql
-- Counts one more failure of every subject, beginning anew when the window is over. Subjects are taken in order, so that
-- two calls cannot wait for each other.
CREATE OR REPLACE FUNCTION millrace.count_login_failure(p_subjects jsonb, p_window_ms integer)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into millrace.login_failure as f (subject, failures, since)
  select s, 1, clock_timestamp() from jsonb_array_elements_text(p_subjects) as s order by s
  on conflict (subject) do update set
    failures = case when f.since < clock_timestamp() - p_window_ms * interval '1 ms' then 1 else f.failures + 1 end,
    since = case when f.since < clock_timestamp() - p_window_ms * interval '1 ms' then clock_timestamp() else f.since end
$function$;

-- migrations/0003_create_and_promote_runs.sql
-- Makes one run. Answers {"result": "created" | "repeated" | "exists" | "already_running" | "not_allowed", "runKey"},
-- and for a repeated request "runId".
-- A child needs the valid claim of its parent; an id that exists already below the same root is the same child.
-- migrations/0012_keep_runs_by_count.sql
-- As before, and a root run of a DAG with a limit on its history notes that there may be a surplus. Answers {"result": "created" | "repeated" | "exists" | "already_running" | "not_allowed", "runKey"},
-- and for a repeated request "runId".
-- A child needs the valid claim of its parent; an id that exists already below the same root is the same child.
-- migrations/0022_start_what_is_stored.sql
-- As before, and a request without a spec means the file as it is stored: when its definition is no longer the one that
-- the caller knows, the answer is {"result": "changed"}, and nothing is made.
-- migrations/0024_remove_definitions.sql
-- As before, but the definition is locked before anything relies on it.
-- migrations/0031_keep_the_limit_of_a_dag.sql
-- Makes one run. Answers {"result": "created" | "repeated" | "exists" | "already_running" | "not_allowed" | "changed",
-- "runKey"}, and for a repeated request "runId".
-- A child needs the valid claim of its parent; an id that exists already below the same root is the same child.
-- A request without a spec means the file as it is stored: when its definition is no longer the one that the caller
-- knows, the answer is "changed", and nothing is made. homeQueue: the queue of the DAG, when the caller chose another. promotes
-- (true): whether the queue is looked at; else the caller does so when all runs are made.
CREATE OR REPLACE FUNCTION millrace.create_run(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$;

-- migrations/0003_create_and_promote_runs.sql
-- Several at once; the answers stand in the order of the requests.
-- migrations/0031_keep_the_limit_of_a_dag.sql
-- Several at once; the answers stand in the order of the requests. Plain starts take no locks beforehand: their caller
-- sorts them. Queues are locked when all runs are made.
CREATE OR REPLACE FUNCTION millrace.create_runs(p_requests jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$;

-- migrations/0018_keep_who_traces_a_run.sql
-- create_runs for requests some of which name a trace. Kept apart, so that the rest pays nothing for it.
-- migrations/0029_lock_in_one_order.sql
-- create_runs for requests some of which name a trace. Kept apart, so that the rest pays nothing for it.
CREATE OR REPLACE FUNCTION millrace.create_traced_runs(p_requests jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$;

-- migrations/0024_remove_definitions.sql
CREATE TRIGGER dag_definition AFTER DELETE OR UPDATE OF definition_hash ON millrace.dag FOR EACH ROW EXECUTE FUNCTION note_definition();

-- migrations/0036_note_attempts.sql
CREATE TRIGGER dag_run_attempt BEFORE UPDATE OF attempt ON millrace.dag_run FOR EACH ROW WHEN ((new.attempt > old.attempt)) EXECUTE FUNCTION note_attempt();

-- migrations/0032_count_ends_and_claim_by_labels.sql
CREATE TRIGGER dag_run_ended AFTER UPDATE ON millrace.dag_run FOR EACH ROW WHEN (((old.finished_at IS NULL) AND (new.finished_at IS NOT NULL) AND (new.parent_key IS NULL))) EXECUTE FUNCTION note_end();

-- migrations/0032_count_ends_and_claim_by_labels.sql
-- History that somebody inserts.
CREATE TRIGGER dag_run_inserted_ended AFTER INSERT ON millrace.dag_run FOR EACH ROW WHEN (((new.finished_at IS NOT NULL) AND (new.parent_key IS NULL))) EXECUTE FUNCTION note_end();

-- migrations/0002_guard_transitions.sql
-- migrations/0017_record_run_by_run.sql
-- Only for updates that the guard has something to say about.
CREATE TRIGGER dag_run_transition BEFORE UPDATE ON millrace.dag_run FOR EACH ROW WHEN (((old.finished_at IS NOT NULL) OR (new.finished_at IS NOT NULL) OR (new.status <> old.status) OR (new.claim_token < old.claim_token))) EXECUTE FUNCTION guard_run_transition();

-- migrations/0005_stop_retry_and_take_over_runs.sql
-- Takes a run out of its queue; it is kept as cancelled. Against a promotion exactly one wins: both lock the row.
CREATE OR REPLACE FUNCTION millrace.dequeue_run(p_key bigint)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  update millrace.dag_run set status = 'cancelled', ending = 'stopped', finished_at = now()
  where run_key = p_key and status = 'queued';
  return case when found then 'dequeued' else 'not_queued' end;
end
$function$;

-- migrations/0004_claim_and_record_runs.sql
-- Everything that a runner must know of a run, times in milliseconds since 1970, keys as text.
CREATE OR REPLACE FUNCTION millrace.describe_run(r dag_run, p_known text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$;

-- migrations/0030_count_logins_first.sql
-- The password was right: takes the attempt back, and notes that the user has logged in from this address.
CREATE OR REPLACE FUNCTION millrace.end_login(p_pair text, p_address text, p_user text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  update millrace.login_failure set failures = greatest(failures - 1, 0), succeeded_at = clock_timestamp()
  where subject = p_pair;
  update millrace.login_failure set failures = greatest(failures - 1, 0) where subject = p_address;
  update millrace.login_failure set failures = greatest(failures - 1, 0) where subject = p_user;
end;
$function$;

-- migrations/0005_stop_retry_and_take_over_runs.sql
-- Ends all leases: for a server that is known to have come up with nobody connected before.
-- migrations/0029_lock_in_one_order.sql
-- Ends all leases: for a server that is known to have come up with nobody connected before.
CREATE OR REPLACE FUNCTION millrace.expire_leases()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_keys bigint[];
begin
  select array_agg(held.run_key) into v_keys
  from (
    select r.run_key from millrace.dag_run r where r.lease_owner is not null order by r.run_key for no key update
  ) as held;
  update millrace.dag_run set lease_until = '-infinity' where run_key = any (v_keys) and lease_owner is not null;
end
$function$;

-- migrations/0003_create_and_promote_runs.sql
-- What a request with the same idempotency key has made before; null when there was none.
-- migrations/0026_plan_once.sql
CREATE OR REPLACE FUNCTION millrace.find_repeated(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if p ->> 'idempotencyKey' is null then
    return null;
  end if;
  return (
    select jsonb_build_object('result', 'repeated', 'runKey', r.run_key::text, 'runId', r.run_id)
    from millrace.dag_run r
    where r.dag_name = p ->> 'dagName' and r.idempotency_key = p ->> 'idempotencyKey'
  );
end
$function$;

-- migrations/0005_stop_retry_and_take_over_runs.sql
-- Runs that were told to stop while nobody owned them, and were not made claimable then: a runner ends them.
-- migrations/0029_lock_in_one_order.sql
-- Runs that were told to stop while nobody owned them, and were not made claimable then: a runner ends them.
CREATE OR REPLACE FUNCTION millrace.finish_dead_stops(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_count int;
begin
  with dead as materialized (
    select r.run_key from millrace.dag_run r
    where r.stop_requested_at is not null and r.status = 'running' and r.lease_owner is null
      and (r.ready_at is null or r.ready_at > now())
    limit p_limit
    for no key update skip locked
  )
  update millrace.dag_run r set ready_at = now() from dead where r.run_key = dead.run_key;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$function$;

-- migrations/0020_fire_schedules_at_once.sql
-- Makes the runs of instants of one entry and moves the entry on, together or not at all. Answers null, and does
-- nothing, when somebody else serves the entry at this moment or has moved it on, or when there is something to start
-- and the DAG was suspended or changed meanwhile: who suspends a DAG waits until its runs are made. Nobody is waited
-- for. Otherwise what create_run says of each start.
-- p_due: {"fileName", "kind", "expression", "zone", "dueMs", "nextMs" (null: it never comes again), "supersedes" (runs of
-- earlier instants than the last that still wait are taken out of their queue)}.
-- p_starts: [{"runId", "atMs", "mode"}]; p_request has what they share.
-- migrations/0031_keep_the_limit_of_a_dag.sql
-- Makes the runs of instants of one entry and moves the entry on, together or not at all. Answers null, and does
-- nothing, when somebody else serves the entry at this moment or has moved it on, or when there is something to start
-- and the DAG was suspended or changed meanwhile: who suspends a DAG waits until its runs are made. Nobody is waited
-- for. Otherwise what create_run says of each start.
-- p_due: {"fileName", "kind", "expression", "zone", "dueMs", "nextMs" (null: it never comes again), "supersedes" (runs of
-- earlier instants than the last that still wait are taken out of their queue)}.
-- p_starts: [{"runId", "atMs", "mode"}]; p_request has what they share.
CREATE OR REPLACE FUNCTION millrace.fire_schedule(p_due jsonb, p_request jsonb, p_starts jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$;

-- migrations/0033_count_what_has_ended.sql
-- Moves up to p_limit ends into the totals. Returns how many; 0 while somebody else does it. DAGs are locked before their
-- totals, as by whoever removes a DAG.
CREATE OR REPLACE FUNCTION millrace.fold_ends(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_count int;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('millrace.fold_ends', 0)) then
    return 0;
  end if;
  with ended as materialized (
    delete from millrace.run_end
    where ctid = any (array(select w.ctid from millrace.run_end w limit p_limit))
    returning file_name, status, started_at, finished_at
  ),
  total as (
    insert into millrace.run_total as t (status, runs)
    select e.status, count(*) from ended e group by e.status
    on conflict (status) do update set runs = t.runs + excluded.runs
  ),
  stored as materialized (
    select d.file_name from millrace.dag d
    where d.file_name in (select e.file_name from ended e)
    order by d.file_name
    for key share
  ),
  of_dag as (
    insert into millrace.dag_total as t
      (file_name, succeeded, failed, cancelled, last_success_at, last_duration)
    select s.file_name,
      count(*) filter (where e.status in ('success', 'partial_success')),
      count(*) filter (where e.status = 'failed'),
      count(*) filter (where e.status = 'cancelled'),
      max(e.finished_at) filter (where e.status in ('success', 'partial_success')),
      (
        array_agg(e.finished_at - e.started_at order by e.finished_at desc) filter (where e.started_at is not null)
      )[1]
    from stored s join ended e on e.file_name = s.file_name
    group by s.file_name
    on conflict (file_name) do update
    set succeeded = t.succeeded + excluded.succeeded, failed = t.failed + excluded.failed,
      cancelled = t.cancelled + excluded.cancelled,
      last_success_at = greatest(t.last_success_at, excluded.last_success_at),
      last_duration = coalesce(excluded.last_duration, t.last_duration)
  )
  select count(*) into v_count from ended;
  return v_count;
end
$function$;

-- migrations/0037_forget_queues_and_folders.sql
-- Removes rows of queues that nothing names any more: no setting gives them a limit, they are the queue of no DAG, and no
-- run waits or is active in them or at home there (runs that have ended need no row, and a retry makes none). A statement
-- that enqueues makes the row and the run in one transaction, which the check below could not see; its lock on the table
-- shows. So the table is locked against new rows for this statement, and nothing is removed while somebody makes one, or
-- where somebody holds the row. Returns how many are gone. Relies on dag_run_queued_idx, dag_run_active_idx and
-- dag_run_elsewhere_idx.
CREATE OR REPLACE FUNCTION millrace.forget_queues(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_count int;
begin
  begin
    lock table millrace.queue in share row exclusive mode nowait;
  exception when lock_not_available then
    return 0;
  end;
  delete from millrace.queue
  where name in (
    select q.name
    from millrace.queue q
    where q.max_concurrency is null
      and not exists (select from millrace.dag d where coalesce(d.queue, d.dag_name) = q.name or d.dag_name = q.name)
      and not exists (select from millrace.dag_run r where r.queue = q.name and r.status = 'queued')
      and not exists (select from millrace.dag_run r where r.queue = q.name and r.status in ('not_started', 'running'))
      and not exists (
        select from millrace.dag_run r
        where r.home_queue = q.name and r.dag_name > '' and r.status in ('queued', 'not_started', 'running')
      )
    order by q.name
    limit p_limit
    for update of q skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end
$function$;

-- migrations/0029_lock_in_one_order.sql
-- Goes on with the oldest stop that is not finished. Answers how many it has looked at: one, or none.
-- migrations/0038_tell_children_once.sql
CREATE OR REPLACE FUNCTION millrace.go_on_stopping(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_stop millrace.unfinished_stop;
begin
  select s.* into v_stop from millrace.unfinished_stop s order by s.id limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  delete from millrace.unfinished_stop s where s.id = v_stop.id;
  if not millrace.stop_below(v_stop.run_key, v_stop.requested_at, p_limit, v_stop.again) then
    -- Behind the others, so that none waits for a very large one.
    insert into millrace.unfinished_stop (run_key, requested_at, again)
    values (v_stop.run_key, v_stop.requested_at, v_stop.again);
  end if;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return 1;
end
$function$;

-- migrations/0002_guard_transitions.sql
CREATE OR REPLACE FUNCTION millrace.guard_run_transition()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  allowed constant text[] := array[
    'queued>not_started', 'queued>cancelled', 'not_started>running', 'not_started>cancelled', 'not_started>failed',
    'running>success', 'running>partial_success', 'running>failed', 'running>cancelled'
  ];
  is_final constant boolean := old.status in ('failed', 'cancelled', 'success', 'partial_success');
begin
  if is_final and current_setting('millrace.retrying', true) is distinct from old.run_key::text then
    raise exception 'run % has ended: it cannot be changed', old.run_key using errcode = 'check_violation';
  end if;
  if not is_final and new.status <> old.status and not (old.status || '>' || new.status) = any (allowed) then
    raise exception 'run % cannot go from % to %', old.run_key, old.status, new.status
      using errcode = 'check_violation';
  end if;
  if new.claim_token < old.claim_token then
    raise exception 'run %: a claim token never falls', old.run_key using errcode = 'check_violation';
  end if;
  -- A negative number of days: for ever. Nothing goes while somebody may still look at how it ended.
  if new.finished_at is distinct from old.finished_at and new.parent_key is null then
    new.expires_at := case when new.hist_retention_days >= 0 then
      new.finished_at + greatest(make_interval(days => new.hist_retention_days), interval '1 hour') end;
  end if;
  return new;
end
$function$;

-- migrations/0035_own_dag_files.sql
-- Takes or keeps the folder for so many milliseconds. Returns false, and does nothing, while another process holds it.
CREATE OR REPLACE FUNCTION millrace.hold_dag_folder(p_holder text, p_folder text, p_ms integer)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO 'pg_catalog'
AS $function$
  with held as (
    insert into millrace.dag_folder as d (folder, holder, held_until)
    values (p_folder, p_holder, clock_timestamp() + make_interval(secs => p_ms / 1000.0))
    on conflict (is_only) do update
    set folder = excluded.folder, holder = excluded.holder, held_until = excluded.held_until,
      read_at = case when d.holder = excluded.holder then clock_timestamp() else d.read_at end
    where d.holder = excluded.holder or d.held_until < clock_timestamp()
    returning 1
  )
  select exists (select from held)
$function$;

-- migrations/0029_lock_in_one_order.sql
-- Queues by name: makes those that are missing, and locks all. One that is made at this moment is waited for first.
CREATE OR REPLACE FUNCTION millrace.hold_queues(p_names text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into millrace.queue (name)
  select distinct n from unnest(p_names) as n where n is not null order by n
  on conflict (name) do nothing;
  perform from millrace.queue q where q.name = any (p_names) order by q.name for update;
end
$function$;

-- migrations/0032_count_ends_and_claim_by_labels.sql
-- Sets of labels that claimable runs ask for and p_labels has. Few labels: each of their subsets is looked up, however many
-- sets there are. More labels: the index is walked from set to set. Relies on dag_run_labels_idx.
CREATE OR REPLACE FUNCTION millrace.label_sets(p_labels jsonb)
 RETURNS jsonb[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_subsets_of_most constant int := 6;
  v_count constant int := (select count(*) from jsonb_object_keys(p_labels));
begin
  if v_count = 0 then
    return array['{}'::jsonb];
  elsif v_count <= v_subsets_of_most then
    return array(
      with recursive label as (
        select row_number() over () as n, jsonb_build_object(key, value) as pair from jsonb_each(p_labels)
      ),
      subset as (
        select '{}'::jsonb as labels, 0::bigint as n
        union all
        select s.labels || l.pair, l.n from subset s join label l on l.n > s.n
      )
      select s.labels from subset s
      where exists (
        select from millrace.dag_run r
        where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
          and jsonb_hash_extended(r.labels, 0) = jsonb_hash_extended(s.labels, 0)
      )
    );
  end if;
  return array(
    with recursive walk as (
      (
        select jsonb_hash_extended(r.labels, 0) as hash, r.labels from millrace.dag_run r
        where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
        order by jsonb_hash_extended(r.labels, 0)
        limit 1
      )
      union all
      select further.hash, further.labels from walk cross join lateral (
        select jsonb_hash_extended(r.labels, 0) as hash, r.labels from millrace.dag_run r
        where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
          and jsonb_hash_extended(r.labels, 0) > walk.hash
        order by jsonb_hash_extended(r.labels, 0)
        limit 1
      ) further
    )
    select w.labels from walk w where p_labels @> w.labels
  );
end
$function$;

-- migrations/0029_lock_in_one_order.sql
-- Takes the locks of several requests in the order above, before the first run is made; their queues come last.
CREATE OR REPLACE FUNCTION millrace.lock_for(p_requests jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform pg_advisory_xact_lock(dag.key)
  from (
    select distinct hashtextextended('millrace.singleton.' || (r ->> 'dagName'), 0) as key
    from jsonb_array_elements(p_requests) as r
    where (r ->> 'singleton')::boolean
    order by 1
  ) as dag;
  perform from millrace.dag_run d
  where d.run_key in (select (r #>> '{parent,runKey}')::bigint from jsonb_array_elements(p_requests) as r)
  order by d.run_key
  for share;
  insert into millrace.definition (hash, spec, base_spec)
  select distinct on (r ->> 'definitionHash') r ->> 'definitionHash', r ->> 'spec', r ->> 'baseSpec'
  from jsonb_array_elements(p_requests) as r
  where r ->> 'spec' is not null
  order by 1
  on conflict (hash) do nothing;
  perform from millrace.definition f
  where f.hash in (select r ->> 'definitionHash' from jsonb_array_elements(p_requests) as r)
  order by f.hash
  for key share;
  insert into millrace.surplus_history (dag_name, keep)
  select distinct on (r ->> 'dagName') r ->> 'dagName', (r ->> 'histRetentionRuns')::int
  from jsonb_array_elements(p_requests) as r
  where jsonb_typeof(r -> 'histRetentionRuns') = 'number' and jsonb_typeof(r -> 'parent') is distinct from 'object'
  order by 1
  on conflict (dag_name) do update set keep = excluded.keep;
end
$function$;

-- migrations/0003_create_and_promote_runs.sql
CREATE OR REPLACE FUNCTION millrace.ms(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint;

-- migrations/0036_note_attempts.sql
-- Whoever begins an attempt, the one before is noted.
CREATE OR REPLACE FUNCTION millrace.note_attempt()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  new.past_attempts := coalesce(old.past_attempts, '[]') || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
    'attempt', old.attempt, 'status', old.status, 'startedAt', old.started_at, 'finishedAt', old.finished_at,
    'error', left(old.error, 1000)
  )));
  if jsonb_array_length(new.past_attempts) > 100 then
    new.past_attempts := new.past_attempts - 0;
  end if;
  return new;
end
$function$;

-- migrations/0035_own_dag_files.sql
-- Notes the files that the folder has now, unless another process has taken it meanwhile.
-- p_files: [{"path", "fileName", "fault"}].
CREATE OR REPLACE FUNCTION millrace.note_dag_files(p_holder text, p_files jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  update millrace.dag_folder d set read_at = clock_timestamp() where d.holder = p_holder;
  if not found then
    return false;
  end if;
  delete from millrace.dag_file f
  where not exists (select from jsonb_array_elements(p_files) g where g ->> 'path' = f.path);
  insert into millrace.dag_file as f (path, file_name, fault)
  select g.path, g."fileName", g.fault from jsonb_to_recordset(p_files) as g (path text, "fileName" text, fault text)
  on conflict (path) do update set file_name = excluded.file_name, fault = excluded.fault
  where (f.file_name, f.fault) is distinct from (excluded.file_name, excluded.fault);
  return true;
end
$function$;

-- migrations/0024_remove_definitions.sql
CREATE OR REPLACE FUNCTION millrace.note_definition()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  update millrace.definition set is_loose = true where hash = old.definition_hash;
  return null;
end
$function$;

-- migrations/0032_count_ends_and_claim_by_labels.sql
CREATE OR REPLACE FUNCTION millrace.note_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into millrace.run_end (run_key, attempt, file_name, status, started_at, finished_at)
  values (new.run_key, new.attempt, new.file_name, new.status, new.started_at, new.finished_at)
  on conflict do nothing;
  return null;
end
$function$;

-- migrations/0035_own_dag_files.sql
-- The files that own their DAGs: those of a folder that was read within a day.
create view millrace.owning_file as
select f.path, f.file_name, f.fault from millrace.dag_file f
where exists (select from millrace.dag_folder d where d.read_at > clock_timestamp() - interval '1 day');

-- migrations/0031_keep_the_limit_of_a_dag.sql
-- Promotes in queues of new runs, which may be new too.
CREATE OR REPLACE FUNCTION millrace.promote_new(p_names text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into millrace.queue (name)
  select distinct n from unnest(p_names) as n where n is not null order by n
  on conflict (name) do nothing;
  perform millrace.promote_some(array(select distinct n from unnest(p_names) as n where n is not null));
end
$function$;

-- migrations/0003_create_and_promote_runs.sql
-- Moves runs of one queue from queued to claimable, first in first out within priority, never over the limit.
-- Relies on dag_run_queued_idx and dag_run_active_idx. Returns how many.
-- migrations/0031_keep_the_limit_of_a_dag.sql
CREATE OR REPLACE FUNCTION millrace.promote_queue(p_queue text)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO 'pg_catalog'
AS $function$
  select millrace.promote_some(array[p_queue])
$function$;

-- migrations/0003_create_and_promote_runs.sql
-- The safety net of the tick: queues that have somebody waiting.
-- migrations/0031_keep_the_limit_of_a_dag.sql
-- The safety net of the tick: queues that have somebody waiting.
CREATE OR REPLACE FUNCTION millrace.promote_queues(p_limit integer)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO 'pg_catalog'
AS $function$
  select millrace.promote_some(array(
    select distinct r.queue from millrace.dag_run r where r.status = 'queued' order by 1 limit p_limit
  ))
$function$;

-- migrations/0031_keep_the_limit_of_a_dag.sql
-- Promotes in some queues, each named once, and in those whose runs share a limit of a DAG with them. All are locked before the first
-- count, by name, because both the queue of a run and that of its DAG bound it. Relies on dag_run_elsewhere_idx and
-- dag_run_guest_idx.
CREATE OR REPLACE FUNCTION millrace.promote_some(p_names text[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$;

-- migrations/0031_keep_the_limit_of_a_dag.sql
-- Moves runs of one queue from queued to claimable, first in first out within priority, never over a limit. A run that
-- waits for its DAG lets others pass. The caller has locked the queues p_held; runs of other DAGs that came since are
-- left to their own statement. Relies on dag_run_queued_idx, dag_run_active_idx and dag_run_elsewhere_idx.
CREATE OR REPLACE FUNCTION millrace.promote_within(p_queue text, p_held text[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$;

-- migrations/0004_claim_and_record_runs.sql
-- The group commit of the journal. Items of runs whose token is no longer valid change nothing and are answered as
-- lost. Recording the same item twice changes nothing.
-- migrations/0017_record_run_by_run.sql
-- The group commit of the journal. Items of runs whose token is no longer valid change nothing and are answered as
-- lost. Recording the same item twice changes nothing. Runs are locked in the order of their keys.
-- migrations/0031_keep_the_limit_of_a_dag.sql
-- The group commit of the journal. Items of runs whose token is no longer valid change nothing and are answered as
-- lost. Recording the same item twice changes nothing. Runs are locked in the order of their keys.
CREATE OR REPLACE FUNCTION millrace.record(p_batch jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
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
$function$;

-- migrations/0024_remove_definitions.sql
-- Looks at definitions that are noted and removes those that nobody refers to. Those that somebody is about to refer to
-- stay noted. Returns how many it has looked at. Relies on definition_loose_idx, dag_definition_idx and
-- dag_run_definition_idx.
CREATE OR REPLACE FUNCTION millrace.remove_definitions(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_noted text[];
  v_used text[];
  v_unused text[];
begin
  select coalesce(array_agg(noted.hash), '{}') into v_noted
  from (
    select f.hash from millrace.definition f
    where f.is_loose
    order by f.hash
    limit p_limit
    for no key update skip locked
  ) as noted;
  select coalesce(array_agg(h.hash), '{}') into v_used
  from unnest(v_noted) as h (hash)
  where exists (select from millrace.dag d where d.definition_hash = h.hash)
    or exists (select from millrace.dag_run r where r.definition_hash = h.hash);
  update millrace.definition set is_loose = false where hash = any (v_used);
  select coalesce(array_agg(held.hash), '{}') into v_unused
  from (
    select f.hash from millrace.definition f
    where f.hash = any (v_noted) and f.hash <> all (v_used)
    order by f.hash
    for update skip locked
  ) as held;
  delete from millrace.definition f
  where f.hash = any (v_unused)
    and not exists (select from millrace.dag d where d.definition_hash = f.hash)
    and not exists (select from millrace.dag_run r where r.definition_hash = f.hash);
  return cardinality(v_noted);
end
$function$;

-- migrations/0006_remove_expired_runs.sql
-- Removes whole trees whose time is over: a root that has ended, and everything below it, when all of that has ended too.
-- Answers the keys of all removed runs, so that logs outside of the database can go as well.
-- Relies on dag_run_expiry_idx; locked rows (somebody retries one just now) are left for the next time.
-- migrations/0008_read_only_expired_runs.sql
-- As before, but the time is asked for once: a volatile function cannot bound an index scan, and each tick read the
-- expiry of every run.
-- migrations/0024_remove_definitions.sql
-- As before; what it finds goes by remove_trees.
CREATE OR REPLACE FUNCTION millrace.remove_expired_runs(p_limit integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_roots bigint[];
begin
  select coalesce(array_agg(due.run_key), '{}') into v_roots
  from (
    select r.run_key from millrace.dag_run r
    where r.expires_at < (select clock_timestamp())
      and not exists (select from millrace.dag_run c where c.root_key = r.run_key and c.finished_at is null)
    order by r.expires_at
    limit p_limit
    for update skip locked
  ) as due;
  return millrace.remove_trees(v_roots);
end
$function$;

-- migrations/0012_keep_runs_by_count.sql
-- Removes the oldest root runs of DAGs that have more than they keep, with their trees, unless a part of one lives. The
-- note goes when nothing is left to remove. Relies on dag_run_dag_idx. Returns the keys of what is gone.
-- migrations/0024_remove_definitions.sql
-- As before; what it finds goes by remove_trees.
CREATE OR REPLACE FUNCTION millrace.remove_surplus_runs(p_limit integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_dag text;
  v_keep int;
  v_found int;
  v_roots bigint[];
  v_gone bigint[] := '{}';
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
  return millrace.remove_trees(v_roots);
end
$function$;

-- migrations/0024_remove_definitions.sql
-- Removes root runs, which the caller has locked, with all that is below them, and notes their definitions. Returns the
-- keys of what is gone.
-- migrations/0029_lock_in_one_order.sql
-- Removes root runs, which the caller has locked, with all that is below them, and notes their definitions. Returns the
-- keys of what is gone.
CREATE OR REPLACE FUNCTION millrace.remove_trees(p_roots bigint[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_keys bigint[];
  v_hashes text[];
begin
  perform from millrace.dag_run r where r.root_key = any (p_roots) order by r.run_key for update;
  select array_agg(gone.run_key), array_agg(distinct gone.definition_hash) into v_keys, v_hashes
  from (
    select r.run_key, r.definition_hash from millrace.dag_run r where r.run_key = any (p_roots)
    union all
    select r.run_key, r.definition_hash from millrace.dag_run r where r.root_key = any (p_roots)
  ) as gone;
  perform from millrace.definition f where f.hash = any (v_hashes) order by f.hash for no key update;
  update millrace.definition set is_loose = true where hash = any (v_hashes) and not is_loose;
  delete from millrace.dag_run where run_key = any (p_roots);
  return coalesce((select jsonb_agg(key::text) from unnest(v_keys) as key), '[]');
end
$function$;

-- migrations/0004_claim_and_record_runs.sql
-- Renews the leases of a runner and its heartbeat. Answers with the runs that are lost, and those told to stop.
-- migrations/0019_tell_unknown_claims.sql
-- Renews the leases of a runner and its heartbeat. Answers with the runs that are lost, those told to stop, and the
-- claims of this owner that it has not named: the answer to a claim may have been lost after its commit. Those are not
-- renewed. Relies on dag_run_owner_idx.
CREATE OR REPLACE FUNCTION millrace.renew_leases(p_owner text, p_claims jsonb, p_lease_ms integer, p_worker jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
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
  ),
  unknown as (
    select jsonb_build_object('runKey', r.run_key::text, 'token', r.claim_token::text) as claim
    from millrace.dag_run r
    where r.lease_owner = p_owner
      and not exists (select from given g where g.run_key = r.run_key and g.token = r.claim_token)
  )
  select jsonb_build_object(
    'lost', coalesce(jsonb_agg(g.run_key::text) filter (where renewed.run_key is null), '[]'),
    'stopping', coalesce(
      jsonb_agg(jsonb_build_object('runKey', g.run_key::text, 'at', millrace.ms(renewed.stop_requested_at)))
        filter (where renewed.stop_requested_at is not null),
      '[]'
    ),
    'unknown', (select coalesce(jsonb_agg(u.claim), '[]') from unknown u),
    'now', millrace.ms(clock_timestamp())
  )
  into v_answer
  from given g
  left join renewed on renewed.run_key = g.run_key;
  return v_answer;
end
$function$;

-- migrations/0005_stop_retry_and_take_over_runs.sql
-- A new attempt of a run that has ended: keeps inputs and the steps that succeeded, drops the named ones.
-- The same retry key again changes nothing and is answered as before.
-- migrations/0011_retry_outside_the_queue.sql
-- A new attempt of a run that has ended: keeps inputs and the steps that succeeded, drops the named ones.
-- The same retry key again changes nothing and is answered as before.
-- migrations/0029_lock_in_one_order.sql
-- A new attempt of a run that has ended: keeps inputs and the steps that succeeded, drops the named ones.
-- The same retry key again changes nothing and is answered as before. A run that is gone meanwhile: gone.
CREATE OR REPLACE FUNCTION millrace.retry_run(p_key bigint, p_attempt integer, p_drop jsonb, p_retry_key text)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  -- The second of two callers waits here, and then sees what the first has done.
  perform from millrace.dag_run r where r.run_key = p_key for no key update;
  if not found then
    return 'gone';
  end if;
  perform from millrace.dag_run r where r.run_key = p_key and r.retry_key = p_retry_key;
  if found then
    return 'retried';
  end if;
  perform from millrace.dag_run r
  where r.run_key = p_key and r.attempt = p_attempt
    and r.status in ('failed', 'cancelled', 'success', 'partial_success');
  if not found then
    return 'running';
  end if;
  perform set_config('millrace.retrying', p_key::text, true);
  delete from millrace.dag_run_step
  where run_key = p_key and name in (select jsonb_array_elements_text(p_drop));
  update millrace.dag_run
  set status = 'not_started', attempt = attempt + 1, finished_at = null, started_at = null, ending = null,
    error = null, checked = false, last_start_at = null, stop_requested_at = null, lost_count = 0, ready_at = now(),
    retry_key = p_retry_key,
    -- It starts at once, like a run that is started: it takes no place that its queue gives away.
    queued_at = null
  where run_key = p_key;
  perform set_config('millrace.retrying', '', true);
  perform pg_notify('millrace_work', '');
  return 'retried';
end
$function$;

-- migrations/0014_show_runs_for_scaling.sql
-- For autoscalers, and stable for them: how much there is to do, by the labels that runs ask of a runner. A runner with
-- labels L may take the rows where L @> labels. startable: runs that a runner may claim now, or after the next promotion
-- within the limits of their queues (of a queue without a limit of its own the first 1000 are looked at). running: runs
-- that runners hold. Parents that wait for their children are neither, as they take no place.
-- Read with the rights of the owner: grant select on this view, and nothing else, to the autoscaler.
create view millrace.scaling_v1 as
with promotable as (
  select head.labels,
    bool_and(active.runs + head.place <= head.most) over (partition by q.name order by head.place) as fits
  from millrace.queue q
  cross join lateral (
    select count(*) as runs from millrace.dag_run r where r.queue = q.name and r.status in ('not_started', 'running')
  ) active
  cross join lateral (
    select r.labels, greatest(coalesce(q.max_concurrency, r.max_active_runs), 1) as most,
      row_number() over (order by r.priority desc, r.run_key) as place
    from millrace.dag_run r
    where r.queue = q.name and r.status = 'queued'
    order by r.priority desc, r.run_key
    limit greatest(coalesce(q.max_concurrency, 1000) - active.runs, 0)
  ) head
),
work as (
  select labels, 1 as startable, 0 as running from promotable where fits
  union all
  select labels, 1, 0 from millrace.dag_run
  where lease_owner is null and ready_at is not null and ready_at <= now() and status in ('not_started', 'running')
  union all
  select labels, 0, 1 from millrace.dag_run where lease_owner is not null
)
select labels, sum(startable) as startable, sum(running) as running from work group by labels;

-- migrations/0015_keep_parts_of_logs_elsewhere.sql
-- Puts one chunk, whose bytes are in an object, in the place of those from p_from to p_to. Only when these are exactly
-- the bytes that were stored: somebody else may have been faster. @returns whether the object counts now.
CREATE OR REPLACE FUNCTION millrace.seal_log(p_run_key bigint, p_attempt integer, p_step text, p_stream text, p_from integer, p_to integer, p_bytes bigint, p_object text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v record;
begin
  perform from millrace.log_chunk
  where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream
    and sequence between p_from and p_to
  order by sequence
  for update;
  select min(first_line) as first_line, sum(line_count) as line_count, min(byte_offset) as byte_offset,
    sum(byte_count) as byte_count, max(sequence) as sequence, count(object) as sealed into v
  from millrace.log_chunk
  where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream
    and sequence between p_from and p_to;
  if v.sequence is distinct from p_to or v.byte_count <> p_bytes or v.sealed > 0 then
    return false;
  end if;
  delete from millrace.log_chunk
  where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream
    and sequence >= p_from and sequence < p_to;
  update millrace.log_chunk
  set first_line = v.first_line, line_count = v.line_count, byte_offset = v.byte_offset, byte_count = v.byte_count,
    body = substr(body, length(body)), object = p_object
  where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream and sequence = p_to;
  return true;
end
$function$;

-- migrations/0005_stop_retry_and_take_over_runs.sql
-- Sets the status of a step of an ended run by hand. A later retry goes on from it.
-- migrations/0010_note_ticks_and_hand_set_steps.sql
-- As in 0005, but a step that is set to running by hand has not begun: in a run that has ended nothing that has begun
-- still runs (see audit).
-- migrations/0025_tell_that_a_step_was_set.sql
-- A finished run changes only by a retry, and by a step that is set by hand. The row of the run is now written anew by
-- both, so that its version (xmin) tells readers who keep what they have read whether it still holds.
CREATE OR REPLACE FUNCTION millrace.set_step_status(p_key bigint, p_name text, p_place integer, p_status text)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  -- The guard lets a finished run be written only by who says so.
  perform set_config('millrace.retrying', p_key::text, true);
  update millrace.dag_run r set finished_at = r.finished_at
  where r.run_key = p_key and r.status in ('failed', 'cancelled', 'success', 'partial_success');
  if not found then
    return 'running';
  end if;
  perform set_config('millrace.retrying', '', true);
  insert into millrace.dag_run_step (run_key, name, place, status, phase)
  values (p_key, p_name, p_place, p_status, case when p_status = 'running' then 'executing' end)
  on conflict (run_key, name) do update
  set status = excluded.status, phase = excluded.phase, wait_until = null,
    started_at = case when excluded.status <> 'running' then millrace.dag_run_step.started_at end;
  return 'set';
end
$function$;

-- migrations/0003_create_and_promote_runs.sql
-- For users, inside a transaction of their own: the run exists if and only if it commits. Returns the id of the run.
-- migrations/0023_start_by_sql_as_by_call.sql
-- For users, inside a transaction of their own: the run exists if and only if it commits. Returns the id of the run.
-- migrations/0024_remove_definitions.sql
-- As before, but a file that changes at this moment is read again: it was told as a run that exists already.
CREATE OR REPLACE FUNCTION millrace.start_run(file_name text, params text DEFAULT NULL::text, run_id text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_id constant text := coalesce(run_id, gen_random_uuid()::text);
  v_answer jsonb;
begin
  loop
    select millrace.create_run(d.run_settings || jsonb_build_object(
      'runId', v_id, 'dagName', d.dag_name, 'fileName', d.file_name, 'definitionHash', d.definition_hash,
      'params', start_run.params, 'trigger', 'sql', 'mode', 'start', 'queue', coalesce(d.queue, d.dag_name),
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
$function$;

-- migrations/0029_lock_in_one_order.sql
-- Tells runs below a run to stop, as of p_at; about p_limit of them. Answers whether all are told. What was made while
-- it waited is looked for again; then it waits for nobody, because those keys may be lower than what it holds.
-- Relies on dag_run_parent_idx.
-- migrations/0038_tell_children_once.sql
-- Tells runs below a run to stop, as of p_at; about p_limit of them; p_again: also those that were told before, which
-- ends a handler that is under way. Answers whether all are told. What was made while it waited is looked for again;
-- then it waits for nobody, because those keys may be lower than what it holds. Relies on dag_run_parent_idx.
CREATE OR REPLACE FUNCTION millrace.stop_below(p_key bigint, p_at timestamp with time zone, p_limit integer, p_again boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_keys bigint[];
  v_held bigint[];
  v_told int := 0;
begin
  while v_told < p_limit loop
    select array_agg(found.run_key) into v_keys
    from (
      with recursive tree as (
        select r.run_key, r.status, r.stop_requested_at from millrace.dag_run r where r.parent_key = p_key
        union all
        select r.run_key, r.status, r.stop_requested_at
        from millrace.dag_run r join tree on r.parent_key = tree.run_key
      )
      select tree.run_key from tree
      where tree.status in ('not_started', 'running')
        and (tree.stop_requested_at is null or p_again and tree.stop_requested_at < p_at)
      limit p_limit - v_told
    ) as found;
    if v_keys is null then
      return true;
    end if;
    if v_told = 0 then
      perform from millrace.dag_run r where r.run_key = any (v_keys) order by r.run_key for no key update;
      v_held := v_keys;
    else
      select array_agg(free.run_key) into v_held
      from (
        select r.run_key from millrace.dag_run r where r.run_key = any (v_keys) for no key update skip locked
      ) as free;
      if v_held is null then
        return false;
      end if;
    end if;
    perform millrace.tell_to_stop(v_held, p_at);
    v_told := v_told + cardinality(v_held);
  end loop;
  return false;
end
$function$;

-- migrations/0029_lock_in_one_order.sql
-- For a parent that stops: as stop_run, but a run that was told already is not told again, which would end its handler.
CREATE OR REPLACE FUNCTION millrace.stop_child(p_key bigint)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  perform from millrace.dag_run r
  where r.run_key = p_key and r.stop_requested_at is null and r.status in ('not_started', 'running');
  return case when found then millrace.stop_run(p_key) else 'not_running' end;
end
$function$;

-- migrations/0005_stop_retry_and_take_over_runs.sql
-- Asks a run and everything below it to end. Answers stopping, cancelled, or not_running.
-- migrations/0031_keep_the_limit_of_a_dag.sql
-- Asks a run and everything below it to end. Answers stopping, cancelled, or not_running. Of a large tree the tick tells
-- the rest (go_on_stopping), so that no statement takes long.
-- migrations/0038_tell_children_once.sql
-- Asks a run and everything below it to end. Answers stopping, cancelled, or not_running. Of a large tree the tick tells
-- the rest (go_on_stopping), so that no statement takes long.
CREATE OR REPLACE FUNCTION millrace.stop_run(p_key bigint)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_most constant int := 5000;
  v_status text;
  v_at timestamptz;
  v_again boolean;
begin
  select r.status, r.stop_requested_at is not null into v_status, v_again
  from millrace.dag_run r where r.run_key = p_key for no key update;
  if v_status is null or v_status not in ('not_started', 'running') then
    return 'not_running';
  end if;
  v_at := clock_timestamp();
  perform millrace.tell_to_stop(array[p_key], v_at);
  if not millrace.stop_below(p_key, v_at, v_most, v_again) then
    insert into millrace.unfinished_stop (run_key, requested_at, again) values (p_key, v_at, v_again);
  end if;
  perform millrace.promote_some(array_remove(array[r.queue, r.home_queue], null))
  from millrace.dag_run r where r.run_key = p_key and r.queue is not null;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return case when v_status = 'not_started' then 'cancelled' else 'stopping' end;
end
$function$;

-- migrations/0005_stop_retry_and_take_over_runs.sql
-- Makes runs whose lease has run out claimable again; a run that loses its runner the third time in a row fails.
-- After the server was away nobody is taken over until a full lease has passed, because no owner could renew; unless
-- expire_leases has said that there are no owners left.
-- migrations/0028_begin_with_the_claim.sql
-- As before, with the lock that an update takes: children of a run that is taken over, or claimed, look at its key.
-- migrations/0029_lock_in_one_order.sql
-- Makes runs whose lease has run out claimable again. One that loses its runner the third time in a row is claimable
-- for the last time: what it has begun is stopped, and the runner that takes it on does nothing but end it. If that
-- runner is lost too, the run fails here.
-- After the server was away nobody is taken over until a full lease has passed, because no owner could renew; unless
-- expire_leases has said that there are no owners left.
CREATE OR REPLACE FUNCTION millrace.take_over_lost_runs(p_limit integer, p_lease_ms integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_count int;
  v_owners_had_time boolean :=
    pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => p_lease_ms / 1000.0);
begin
  with lost as materialized (
    select r.run_key, r.lost_count from millrace.dag_run r
    where r.lease_owner is not null and r.lease_until < clock_timestamp()
      and (v_owners_had_time or r.lease_until = '-infinity')
    order by r.lease_until
    limit p_limit
    for no key update skip locked
  ),
  steps as (
    update millrace.dag_run_step s
    set status = 'failed', phase = null, error = 'runner lost', finished_at = now()
    from lost
    where s.run_key = lost.run_key and lost.lost_count >= 3 and s.status = 'running'
  ),
  stops as (
    insert into millrace.unfinished_stop (run_key, requested_at)
    select lost.run_key, clock_timestamp() from lost
    where lost.lost_count >= 2
      and exists (select from millrace.dag_run c where c.parent_key = lost.run_key and c.finished_at is null)
  )
  update millrace.dag_run r
  set lease_owner = null, lease_until = null, lost_count = r.lost_count + 1,
    status = case when r.lost_count >= 3 then 'failed' else r.status end,
    ending = case when r.lost_count >= 3 then coalesce(r.ending, 'runner_lost') else r.ending end,
    error = case when r.lost_count >= 3 then 'the run lost its runner three times in a row' else r.error end,
    finished_at = case when r.lost_count >= 3 then now() end,
    ready_at = case when r.lost_count < 3 then now() end
  from lost
  where r.run_key = lost.run_key;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform pg_notify('millrace_signal', '');
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$function$;

-- migrations/0029_lock_in_one_order.sql
-- Tells runs, which the caller has locked, to stop. A run that was never claimed is cancelled: nothing ran, nothing is
-- to be tidied up. One that was claimed before and has no owner now is ended by a runner.
CREATE OR REPLACE FUNCTION millrace.tell_to_stop(p_keys bigint[], p_at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog'
AS $function$
  update millrace.dag_run r
  set stop_requested_at = p_at, -- a second stop is later, and ends a handler that is under way
    status = case when r.status = 'not_started' then 'cancelled' else r.status end,
    ending = case when r.status = 'not_started' then 'stopped' else r.ending end,
    finished_at = case when r.status = 'not_started' then now() end,
    ready_at = case when r.status = 'running' and r.lease_owner is null then now() end
  where r.run_key = any (p_keys) and r.status in ('not_started', 'running')
$function$;

-- migrations/0028_begin_with_the_claim.sql
-- Takes back claims whose answer the owner has never received: nothing was executed under them, so what they have begun
-- has not begun.
CREATE OR REPLACE FUNCTION millrace.undo_claims(p_owner text, p_claims jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_keys bigint[];
begin
  select array_agg(held.run_key) into v_keys
  from (
    select r.run_key
    from millrace.dag_run r
    join jsonb_to_recordset(p_claims) as c ("runKey" bigint, token bigint)
      on c."runKey" = r.run_key and c.token = r.claim_token
    where r.lease_owner = p_owner
    order by r.run_key
    for no key update of r
  ) as held;
  delete from millrace.dag_run_step s
  using millrace.dag_run r
  where s.run_key = any (v_keys) and r.run_key = s.run_key and r.claim_token = 1 and r.attempt = 1;
  update millrace.dag_run set lease_owner = null, lease_until = null, ready_at = now() where run_key = any (v_keys);
  perform pg_notify('millrace_work', '');
end
$function$;

-- migrations/0037_forget_queues_and_folders.sql
-- Which of these working folders no DAG and no run has any more, whatever their state. A folder has the name of the file,
-- or of the DAG where a run has no file, with _ for every other character. Few names get as far as the last look, which
-- reads all runs: those of DAGs that are gone.
CREATE OR REPLACE FUNCTION millrace.unused_folders(p_names jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
declare
  v_names text[];
begin
  select coalesce(array_agg(w.name), '{}') into v_names
  from jsonb_array_elements_text(p_names) as w (name)
  where not exists (select from millrace.dag d where d.file_name = w.name)
    and not exists (select from millrace.dag_run r where r.dag_name = w.name and r.file_name is null and r.parent_key is null);
  if cardinality(v_names) = 0 then
    return '[]';
  end if;
  return (
    select coalesce(jsonb_agg(w.name), '[]')
    from unnest(v_names) as w (name)
    where w.name <> all (array(
      select distinct regexp_replace(coalesce(r.file_name, r.dag_name), '[^A-Za-z0-9_-]', '_', 'g') from millrace.dag_run r
    ))
  );
end
$function$;
