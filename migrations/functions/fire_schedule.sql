-- Atomically creates the runs of one schedule entry and advances the entry. Never waits for the locks of the entry and
-- its DAG. Returns null and does nothing if another tick holds the entry or has advanced it. The same holds if there is a
-- run to start, but the DAG was suspended or changed meanwhile. Otherwise returns the result of create_run for each
-- start. Suspending a DAG waits until its runs are created.
-- p_due: {"fileName", "kind", "expression", "zone", "dueMs", "nextMs" (null: never again), "supersedes" (dequeue waiting
-- runs of earlier fires), "missed" (rows for missed_times: [{"fromMs", "untilMs", "beforeMs" (the time before, null: none),
-- "zone", "why"}])}. p_request: the fields that all starts share. p_starts: [{"runId", "atMs", "mode"}].
-- Locks: the entry and its DAG (both skipped if held), then as create_run. Rows of missed_times are written under the lock
-- of their entry.
create or replace function millrace.fire_schedule(p_due jsonb, p_request jsonb, p_starts jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_start jsonb;
  v_missed jsonb;
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
    perform millrace.promote_new_runs(array[p_request ->> 'queue', p_request ->> 'homeQueue']);
  end if;
  if (p_due ->> 'supersedes')::boolean then
    -- Skips locked rows: those runs are being promoted or dequeued right now.
    perform millrace.dequeue_run(waiting.run_key)
    from (
      select r.run_key from millrace.dag_run r
      where r.dag_name = p_request ->> 'dagName' and r.status = 'queued' and r.trigger_type = 'schedule'
        and r.parent_key is null and r.scheduled_at < millrace.at((p_starts -> -1 ->> 'atMs')::float8)
      for no key update skip locked
    ) as waiting;
  end if;
  for v_missed in select missed from jsonb_array_elements(p_due -> 'missed') as given (missed)
  loop
    update millrace.missed_times m set until_at = greatest(m.until_at, millrace.at((v_missed ->> 'untilMs')::float8))
    where m.file_name = p_due ->> 'fileName' and m.kind = p_due ->> 'kind' and m.expression = p_due ->> 'expression'
      and m.zone = v_missed ->> 'zone' and m.why = v_missed ->> 'why'
      and m.until_at >= millrace.at((v_missed ->> 'beforeMs')::float8);
    if not found then
      insert into millrace.missed_times (file_name, kind, expression, zone, from_at, until_at, why)
      values (
        p_due ->> 'fileName', p_due ->> 'kind', p_due ->> 'expression', v_missed ->> 'zone',
        millrace.at((v_missed ->> 'fromMs')::float8), millrace.at((v_missed ->> 'untilMs')::float8), v_missed ->> 'why'
      )
      on conflict do nothing;
    end if;
  end loop;
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
