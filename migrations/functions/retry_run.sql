-- Starts a new attempt of a finished run. Keeps its inputs and its steps, except those named in p_drop. Returns "retried",
-- "running" or "gone". Repeating a retry key changes nothing and returns "retried" again. A retry starts at once, even if
-- its queue is full.
create or replace function millrace.retry_run(p_key bigint, p_attempt integer, p_drop jsonb, p_retry_key text)
returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  -- Serializes concurrent retries: the second caller waits here, then sees the result of the first.
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
  -- Saves the tries of the steps that will run again.
  insert into millrace.past_try as past (run_key, name, tries)
  select s.run_key, s.name, coalesce(s.tries, jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
      'attempt', s.attempt, 'number', 1, 'startedAt', millrace.ms(s.started_at), 'finishedAt', millrace.ms(s.finished_at),
      'exitCode', s.exit_code, 'error', left(s.error, 200), 'status', s.status
    ))))
  from millrace.dag_run_step s
  where s.run_key = p_key and s.started_at is not null and s.name in (select jsonb_array_elements_text(p_drop))
  on conflict (run_key, name) do update
  set tries = (
    select jsonb_agg(t.try order by t.position)
    from jsonb_array_elements(past.tries || excluded.tries) with ordinality as t (try, position)
    where t.position > jsonb_array_length(past.tries || excluded.tries) - 100
  );
  delete from millrace.dag_run_step
  where run_key = p_key and name in (select jsonb_array_elements_text(p_drop));
  update millrace.dag_run
  set status = 'not_started', attempt = attempt + 1, finished_at = null, started_at = null, ending = null,
    error = null, checked = false, last_start_at = null, stop_requested_at = null, lost_count = 0, ready_at = now(),
    retry_key = p_retry_key,
    -- Null as for a direct start: the queue did not promote this attempt, so it may exceed the limit.
    queued_at = null
  where run_key = p_key;
  perform set_config('millrace.retrying', '', true);
  perform pg_notify('millrace_work', '');
  return 'retried';
end
$$;
