-- Continues the oldest unfinished stop of a large tree. Returns how many stops it processed: 0 or 1.
create or replace function millrace.continue_stops(p_limit int) returns int
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
  if not millrace.stop_descendants(v_stop.run_key, v_stop.requested_at, p_limit, v_stop.again) then
    -- Requeued last, so that no stop waits for a very large tree.
    insert into millrace.unfinished_stop (run_key, requested_at, again)
    values (v_stop.run_key, v_stop.requested_at, v_stop.again);
  end if;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return 1;
end
$$;
