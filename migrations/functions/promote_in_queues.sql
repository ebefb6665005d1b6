-- Promotes runs in the named queues, and in queues that share the limit of a DAG with them. p_names has no duplicates.
-- Returns how many runs became claimable.
-- Locks: all these queues by name, before the first count. The limits of its queue and of its DAG both apply to a run, and
-- counts are valid only while nobody else promotes. Relies on dag_run_elsewhere_idx and dag_run_guest_idx.
create or replace function millrace.promote_in_queues(p_names text[]) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_is_shared boolean;
  v_names text[] := p_names;
  v_name text;
  v_count int := 0;
begin
  -- Usually none of the queues exists (null), or no run waits outside the queue of its DAG (false).
  v_is_shared := case when exists (select from millrace.queue q where q.name = any (p_names)) then
    exists (
      select from millrace.dag_run r where r.queue = any (p_names) and r.home_queue > '' and r.status = 'queued'
    ) or exists (
      select from millrace.dag_run r where r.home_queue = any (p_names) and r.dag_name > '' and r.status = 'queued'
    ) end;
  if v_is_shared is null then
    return 0;
  end if;
  if v_is_shared then
    select array_agg(related.name order by related.name) into v_names
    from (
      select unnest(p_names) as name
      union
      select r.home_queue from millrace.dag_run r
      where r.queue = any (p_names) and r.home_queue > '' and r.status = 'queued'
      union
      select r.queue from millrace.dag_run r
      where r.home_queue = any (p_names) and r.dag_name > '' and r.status = 'queued'
    ) as related;
  end if;
  perform from millrace.queue q where q.name = any (v_names) order by q.name for update;
  foreach v_name in array v_names loop
    v_count := v_count + millrace.promote_locked_queue(v_name, v_names);
  end loop;
  if v_count > 0 then
    perform pg_notify('millrace_work', '');
  end if;
  return v_count;
end
$$;
