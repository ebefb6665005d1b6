-- Sets the custom queues and their limits: [{"name", "maxConcurrency"}]. Queues that it does not name fall back to the
-- limits of their DAGs. A limit set by a user stays in force. Locks: queues by name.
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
  set max_concurrency = given.most,
    limit_at = case when q.limit_override is null then clock_timestamp() else q.limit_at end
  from (
    select n.name, max(w."maxConcurrency") as most
    from unnest(v_names) as n (name)
    left join jsonb_to_recordset(p_queues) as w (name text, "maxConcurrency" int) on w.name = n.name
    group by n.name
  ) as given
  where q.name = given.name and q.max_concurrency is distinct from given.most;
end
$$;
