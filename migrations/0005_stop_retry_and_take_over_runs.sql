-- What ends runs from outside, and what goes on with them.

-- Asks a run and everything below it to end. Answers stopping, cancelled, or not_running.
create function millrace.stop_run(p_key bigint) returns text
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_status text;
begin
  select r.status into v_status from millrace.dag_run r where r.run_key = p_key for update;
  if v_status is null or v_status not in ('not_started', 'running') then
    return 'not_running';
  end if;
  with recursive tree as (
    select p_key as run_key
    union all
    select r.run_key from millrace.dag_run r join tree on r.parent_key = tree.run_key
  )
  update millrace.dag_run r
  set stop_requested_at = clock_timestamp(), -- a second stop is later, and ends a handler that is under way
    -- Never claimed: nothing ran, nothing is to be tidied up. Claimed before, without an owner now: a runner ends it.
    status = case when r.status = 'not_started' then 'cancelled' else r.status end,
    ending = case when r.status = 'not_started' then 'stopped' else r.ending end,
    finished_at = case when r.status = 'not_started' then now() end,
    ready_at = case when r.status = 'running' and r.lease_owner is null then now() end
  from tree
  where r.run_key = tree.run_key and r.status in ('not_started', 'running');
  perform millrace.promote_queue(r.queue) from millrace.dag_run r where r.run_key = p_key and r.queue is not null;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return case when v_status = 'not_started' then 'cancelled' else 'stopping' end;
end
$$;

-- Takes a run out of its queue; it is kept as cancelled. Against a promotion exactly one wins: both lock the row.
create function millrace.dequeue_run(p_key bigint) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  update millrace.dag_run set status = 'cancelled', ending = 'stopped', finished_at = now()
  where run_key = p_key and status = 'queued';
  return case when found then 'dequeued' else 'not_queued' end;
end
$$;

-- A new attempt of a run that has ended: keeps inputs and the steps that succeeded, drops the named ones.
-- The same retry key again changes nothing and is answered as before.
create function millrace.retry_run(p_key bigint, p_attempt int, p_drop jsonb, p_retry_key text) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  -- The second of two callers waits here, and then sees what the first has done.
  perform from millrace.dag_run r where r.run_key = p_key for update;
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
    retry_key = p_retry_key
  where run_key = p_key;
  perform set_config('millrace.retrying', '', true);
  perform pg_notify('millrace_work', '');
  return 'retried';
end
$$;

-- Sets the status of a step of an ended run by hand. A later retry goes on from it.
create function millrace.set_step_status(p_key bigint, p_name text, p_place int, p_status text) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  perform from millrace.dag_run r
  where r.run_key = p_key and r.status in ('failed', 'cancelled', 'success', 'partial_success')
  for update;
  if not found then
    return 'running';
  end if;
  insert into millrace.dag_run_step (run_key, name, place, status, phase)
  values (p_key, p_name, p_place, p_status, case when p_status = 'running' then 'executing' end)
  on conflict (run_key, name) do update
  set status = excluded.status, phase = excluded.phase, wait_until = null;
  return 'set';
end
$$;

-- Makes runs whose lease has run out claimable again; a run that loses its runner the third time in a row fails.
-- After the server was away nobody is taken over until a full lease has passed, because no owner could renew; unless
-- expire_leases has said that there are no owners left.
create function millrace.take_over_lost_runs(p_limit int, p_lease_ms int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_count int;
  v_owners_had_time boolean :=
    pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => p_lease_ms / 1000.0);
begin
  with lost as materialized (
    select r.run_key from millrace.dag_run r
    where r.lease_owner is not null and r.lease_until < clock_timestamp()
      and (v_owners_had_time or r.lease_until = '-infinity')
    order by r.lease_until
    limit p_limit
    for update skip locked
  ),
  steps as (
    update millrace.dag_run_step s
    set status = 'failed', phase = null, error = 'runner lost', finished_at = now()
    from lost join millrace.dag_run r on r.run_key = lost.run_key
    where s.run_key = lost.run_key and r.lost_count >= 2 and s.status = 'running'
  )
  update millrace.dag_run r
  set lease_owner = null, lease_until = null, lost_count = r.lost_count + 1,
    status = case when r.lost_count >= 2 then 'failed' else r.status end,
    error = case when r.lost_count >= 2 then 'the run lost its runner three times in a row' else r.error end,
    finished_at = case when r.lost_count >= 2 then now() end,
    ready_at = case when r.lost_count < 2 then now() end
  from lost
  where r.run_key = lost.run_key;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$$;

-- Ends all leases: for a server that is known to have come up with nobody connected before.
create function millrace.expire_leases() returns void
language sql
set search_path = pg_catalog
as $$
  update millrace.dag_run set lease_until = '-infinity' where lease_owner is not null
$$;

-- Runs that were told to stop while nobody owned them, and were not made claimable then: a runner ends them.
create function millrace.finish_dead_stops(p_limit int) returns int
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
    for update skip locked
  )
  update millrace.dag_run r set ready_at = now() from dead where r.run_key = dead.run_key;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$$;

-- Violations of the invariants that the tables cannot express; empty when all is well.
create function millrace.audit() returns table (invariant text, detail text)
language sql stable
set search_path = pg_catalog
as $$
  select 'a finished run has no owner', r.run_key::text
  from millrace.dag_run r
  where r.finished_at is not null and (r.lease_owner is not null or r.ready_at is not null)
  union all
  select 'a run that goes on has an owner, a time to be claimed, or a place in a queue', r.run_key::text
  from millrace.dag_run r
  where r.status in ('not_started', 'running') and r.lease_owner is null and r.ready_at is null
  union all
  select 'no step runs in a run that has ended', s.run_key || ' ' || s.name
  from millrace.dag_run_step s
  join millrace.dag_run r on r.run_key = s.run_key
  where r.finished_at is not null and s.status = 'running' and s.started_at is not null
  union all
  select 'a custom queue never runs more than its limit', q.name
  from millrace.queue q
  where q.max_concurrency is not null and q.max_concurrency < (
    select count(*) from millrace.dag_run r
    where r.queue = q.name and r.queued_at is not null and r.status in ('not_started', 'running')
  )
$$;
