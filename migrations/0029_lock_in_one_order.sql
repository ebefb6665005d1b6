-- Locks that a statement waits for are taken in one order, so that no two statements wait for each other:
--   1. a DAG that starts one run at a time (advisory, by its hash)
--   2. runs, by ascending key: a child has a higher key than its parent, so a tree is locked from its root downwards.
--      Steps, logs and inputs of a run are written under the lock of the run
--   3. definitions, by hash; then notes of surplus runs, by DAG
--   4. queues, by name
-- A lock out of this order is passed over when somebody else holds it (skip locked): schedule entries and DAG files
-- before all others, runs that are promoted under the lock of their queue, notes of stops.
-- Runs are locked as an update locks them (no key update), so that the foreign keys of their children need not wait.

-- Stops of large trees whose runs are not all told yet. The tick goes on with them.
create table millrace.unfinished_stop (
  id bigint generated always as identity primary key,
  run_key bigint not null,
  requested_at timestamptz not null
);

alter table millrace.dag_run drop constraint dag_run_ending_check;
alter table millrace.dag_run add constraint dag_run_ending_check check (
  ending in ('stopped', 'timed_out', 'precondition_unmet', 'init_failed', 'runner_lost')
) not valid;

-- Tells runs below a run to stop, as of p_at; about p_limit of them. Answers whether all are told. What was made while
-- it waited is looked for again; then it waits for nobody, because those keys may be lower than what it holds.
-- Relies on dag_run_parent_idx.
create function millrace.stop_below(p_key bigint, p_at timestamptz, p_limit int) returns boolean
language plpgsql
set search_path = pg_catalog
as $$
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
        and (tree.stop_requested_at is null or tree.stop_requested_at < p_at)
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
$$;

-- Tells runs, which the caller has locked, to stop. A run that was never claimed is cancelled: nothing ran, nothing is
-- to be tidied up. One that was claimed before and has no owner now is ended by a runner.
create function millrace.tell_to_stop(p_keys bigint[], p_at timestamptz) returns void
language sql
set search_path = pg_catalog
as $$
  update millrace.dag_run r
  set stop_requested_at = p_at, -- a second stop is later, and ends a handler that is under way
    status = case when r.status = 'not_started' then 'cancelled' else r.status end,
    ending = case when r.status = 'not_started' then 'stopped' else r.ending end,
    finished_at = case when r.status = 'not_started' then now() end,
    ready_at = case when r.status = 'running' and r.lease_owner is null then now() end
  where r.run_key = any (p_keys) and r.status in ('not_started', 'running')
$$;

-- For a parent that stops: as stop_run, but a run that was told already is not told again, which would end its handler.
create function millrace.stop_child(p_key bigint) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  perform from millrace.dag_run r
  where r.run_key = p_key and r.stop_requested_at is null and r.status in ('not_started', 'running');
  return case when found then millrace.stop_run(p_key) else 'not_running' end;
end
$$;

-- Goes on with the oldest stop that is not finished. Answers how many it has looked at: one, or none.
create function millrace.go_on_stopping(p_limit int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_stop millrace.unfinished_stop;
begin
  select s.* into v_stop from millrace.unfinished_stop s order by s.id limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  delete from millrace.unfinished_stop s where s.id = v_stop.id;
  if not millrace.stop_below(v_stop.run_key, v_stop.requested_at, p_limit) then
    -- Behind the others, so that none waits for a very large one.
    insert into millrace.unfinished_stop (run_key, requested_at) values (v_stop.run_key, v_stop.requested_at);
  end if;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return 1;
end
$$;

-- Runs that were told to stop while nobody owned them, and were not made claimable then: a runner ends them.
create or replace function millrace.finish_dead_stops(p_limit integer) returns integer
language plpgsql
set search_path = pg_catalog
as $$
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
$$;

-- Makes runs whose lease has run out claimable again. One that loses its runner the third time in a row is claimable
-- for the last time: what it has begun is stopped, and the runner that takes it on does nothing but end it. If that
-- runner is lost too, the run fails here.
-- After the server was away nobody is taken over until a full lease has passed, because no owner could renew; unless
-- expire_leases has said that there are no owners left.
create or replace function millrace.take_over_lost_runs(p_limit integer, p_lease_ms integer) returns integer
language plpgsql
set search_path = pg_catalog
as $$
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
$$;

-- Ends all leases: for a server that is known to have come up with nobody connected before.
create or replace function millrace.expire_leases() returns void
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_keys bigint[];
begin
  select array_agg(held.run_key) into v_keys
  from (
    select r.run_key from millrace.dag_run r where r.lease_owner is not null order by r.run_key for no key update
  ) as held;
  update millrace.dag_run set lease_until = '-infinity' where run_key = any (v_keys) and lease_owner is not null;
end
$$;

-- A new attempt of a run that has ended: keeps inputs and the steps that succeeded, drops the named ones.
-- The same retry key again changes nothing and is answered as before. A run that is gone meanwhile: gone.
create or replace function millrace.retry_run(p_key bigint, p_attempt integer, p_drop jsonb, p_retry_key text)
returns text
language plpgsql
set search_path = pg_catalog
as $$
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
$$;

-- Removes root runs, which the caller has locked, with all that is below them, and notes their definitions. Returns the
-- keys of what is gone.
create or replace function millrace.remove_trees(p_roots bigint[]) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
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
$$;

-- Queues by name: makes those that are missing, and locks all. One that is made at this moment is waited for first.
create function millrace.hold_queues(p_names text[]) returns void
language plpgsql
set search_path = pg_catalog
as $$
begin
  insert into millrace.queue (name)
  select distinct n from unnest(p_names) as n where n is not null order by n
  on conflict (name) do nothing;
  perform from millrace.queue q where q.name = any (p_names) order by q.name for update;
end
$$;

-- Sets the custom queues and their limits to those given, [{"name", "maxConcurrency"}]. A queue that is no longer named
-- falls back to the limits of its DAGs.
create function millrace.configure_queues(p_queues jsonb) returns void
language plpgsql
set search_path = pg_catalog
as $$
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
$$;

-- Takes the locks of several requests in the order above, before the first run is made; their queues come last.
create function millrace.lock_for(p_requests jsonb) returns void
language plpgsql
set search_path = pg_catalog
as $$
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
$$;

-- create_runs for requests some of which name a trace. Kept apart, so that the rest pays nothing for it.
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
