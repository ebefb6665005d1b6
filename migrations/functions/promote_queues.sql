-- Promotes runs in up to p_limit queues with waiting runs. The tick calls it, in case an enqueue or the end of a run missed
-- a promotion.
create or replace function millrace.promote_queues(p_limit integer) returns integer
language sql
set search_path = pg_catalog
as $$
  select millrace.promote_in_queues(array(
    select distinct r.queue from millrace.dag_run r where r.status = 'queued' order by 1 limit p_limit
  ))
$$;
