-- The group commit of the journal. Items whose token is no longer valid change nothing and are returned as lost.
-- Recording an item twice changes nothing. Locks: runs by key, then queues by name.
--
-- Each item has its own statement, by key. A join of the batch with dag_run was planned for a hundred items, read the whole
-- table until it had statistics, and doubled the cost of a run. lease_until has no index: no query could use it, and each
-- renewal would have to update every other index too.
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
        -- Resets the count of lost runners when an attempt of a step ends under this owner, because a step that kills its
        -- runner never gets there. After the third loss the count stays: the run is claimed only to be ended.
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
      outputs, conditions, started_at, finished_at, tries
    )
    select v_item.run_key, s.name, s.place, s.status, s.phase, s.attempt, s."retryCount", s."doneCount",
      millrace.at(s."waitUntil"), s."exitCode", coalesce(s.error, ''), coalesce(s.tolerated, false),
      coalesce(s.outputs, '{}'), coalesce(s.conditions, '[]'), millrace.at(s."startedAt"), millrace.at(s."finishedAt"),
      case when s.tried is not null then jsonb_build_array(s.tried) end
    from jsonb_to_recordset(v_item.steps) as s (
      name text, place int, status text, phase text, attempt int, "retryCount" int, "doneCount" int,
      "waitUntil" float8, "exitCode" int, error text, tolerated boolean, outputs jsonb, conditions jsonb,
      "startedAt" float8, "finishedAt" float8, tried jsonb
    )
    on conflict (run_key, name) do update
    set place = excluded.place, status = excluded.status, phase = excluded.phase, attempt = excluded.attempt,
      retry_count = excluded.retry_count, done_count = excluded.done_count, wait_until = excluded.wait_until,
      exit_code = excluded.exit_code, error = excluded.error, tolerated = excluded.tolerated,
      outputs = excluded.outputs, conditions = excluded.conditions, started_at = excluded.started_at,
      finished_at = excluded.finished_at,
      -- The item contains only the last finished try; add_try ignores duplicates.
      tries = case
        when excluded.tries is null then dag_run_step.tries
        else millrace.add_try(dag_run_step.tries, excluded.tries -> 0)
      end;
  end loop;

  if cardinality(v_queues) > 0 then
    perform millrace.promote_in_queues(array(select distinct q from unnest(v_queues) as q where q is not null));
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
