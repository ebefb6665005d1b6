-- Promotes in up to p_limit queues that have waiting runs. The tick calls it to catch what an enqueue or an end missed.
create or replace function millrace.promote_queues(p_limit integer) returns integer
language sql
set search_path = pg_catalog
as $$
  select millrace.promote_in_queues(array(
    select distinct r.queue from millrace.dag_run r where r.status = 'queued' order by 1 limit p_limit
  ))
$$;
