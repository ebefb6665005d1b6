-- When a suspension ended: what was due up to then never makes a run.
alter table millrace.dag add column resumed_at timestamptz;

-- Makes the runs of instants of one entry and moves the entry on, together or not at all. Answers null, and does
-- nothing, when somebody else serves the entry at this moment or has moved it on, or when there is something to start
-- and the DAG was suspended or changed meanwhile: who suspends a DAG waits until its runs are made. Nobody is waited
-- for. Otherwise what create_run says of each start.
-- p_due: {"fileName", "kind", "expression", "zone", "dueMs", "nextMs" (null: it never comes again), "supersedes" (runs of
-- earlier instants than the last that still wait are taken out of their queue)}.
-- p_starts: [{"runId", "atMs", "mode"}]; p_request has what they share.
create function millrace.fire_schedule(p_due jsonb, p_request jsonb, p_starts jsonb) returns jsonb
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
      'runId', v_start ->> 'runId', 'scheduledAt', v_start -> 'atMs', 'mode', v_start ->> 'mode'
    ));
  end loop;
  if (p_due ->> 'supersedes')::boolean then
    perform millrace.dequeue_run(r.run_key)
    from millrace.dag_run r
    where r.dag_name = p_request ->> 'dagName' and r.status = 'queued' and r.trigger_type = 'schedule'
      and r.parent_key is null and r.scheduled_at < millrace.at((v_start ->> 'atMs')::float8);
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
