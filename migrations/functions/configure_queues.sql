-- Sets the custom queues and their limits: [{"name", "maxConcurrency"}]. A queue that is not named falls back to the limits
-- of its DAGs. Locks: queues by name.
create or replace function millrace.configure_queues(p_queues jsonb) returns void
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
  perform millrace.lock_queues(v_names);
  update millrace.queue q
  set max_concurrency = (
    select max(w."maxConcurrency") from jsonb_to_recordset(p_queues) as w (name text, "maxConcurrency" int)
    where w.name = q.name
  )
  where q.name = any (v_names);
end
$$;
