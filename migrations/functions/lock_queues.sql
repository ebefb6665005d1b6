-- Creates the missing queues of p_names and locks all of p_names, by name. Waits for concurrent inserts of the same queues.
create or replace function millrace.lock_queues(p_names text[]) returns void
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
