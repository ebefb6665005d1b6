-- Tells a run and its descendants to stop. Returns "stopping", "cancelled" or "not_running". In a large tree, the tick tells
-- the rest (continue_stops), so that no statement takes long. Locks: runs by key, then queues by name.
create or replace function millrace.stop_run(p_key bigint) returns text
language plpgsql
set search_path = pg_catalog
as $$
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
  perform millrace.request_stops(array[p_key], v_at);
  if not millrace.stop_descendants(p_key, v_at, v_most, v_again) then
    insert into millrace.unfinished_stop (run_key, requested_at, again) values (p_key, v_at, v_again);
  end if;
  perform millrace.promote_in_queues(array_remove(array[r.queue, r.home_queue], null))
  from millrace.dag_run r where r.run_key = p_key and r.queue is not null;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return case when v_status = 'not_started' then 'cancelled' else 'stopping' end;
end
$$;
