-- Makes queued runs of one queue claimable, by priority, then first in first out, never above a limit. A run that waits for
-- the limit of its DAG does not block the runs behind it. The caller has locked the queues p_held. A run whose home queue is
-- not among them arrived since, and is left to the statement that enqueued it. Relies on dag_run_queued_idx,
-- dag_run_active_idx and dag_run_elsewhere_idx.
-- A separate statement counts the runs before each promotion. A statement sees only what was committed before it began. So
-- a count in the statement that locked the queue could miss runs that the previous holder promoted.
--
-- Measured with 10,000 runs waiting in a queue of 100 (PostgreSQL 15, medians; this with the lock of promote_in_queues):
--                                                   1 promoted, 99 active            100 promoted
--   one run at a time (chosen)                      115 pages, 0.8 ms                4,970 pages, 79 ms
--   one statement: limit to the free slots          412 pages, 2.0 ms                3,020 pages, 13 ms
--   one statement: number all waiting runs          475 pages, 8.4 ms                2,980 pages, 16 ms
-- The usual case is the end of a run, which promotes one. A single statement could not also respect the limits of DAGs,
-- because each promotion changes the next count.
create or replace function millrace.promote_locked_queue(p_queue text, p_held text[]) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_run record;
  v_active int;
  v_of_dag int;
  v_full text[] := '{}';
  v_count int := 0;
begin
  loop
    select r.run_key, r.dag_name, r.home_queue,
      coalesce(q.limit_override, q.max_concurrency) as max_concurrency, greatest(r.max_active_runs, 1) as most
    into v_run
    from millrace.dag_run r
    join millrace.queue q on q.name = r.queue
    where r.queue = p_queue and r.status = 'queued' and q.paused_at is null and r.dag_name <> all (v_full)
      and (r.home_queue is null or r.home_queue = any (p_held))
    order by r.priority desc, r.run_key
    limit 1
    for update of r skip locked;
    exit when not found;
    select count(*) into v_active
    from millrace.dag_run r
    where r.queue = p_queue and r.status in ('not_started', 'running');
    exit when v_active >= coalesce(v_run.max_concurrency, v_run.most);
    if v_run.home_queue is not null or v_run.max_concurrency is null then
      select count(*) into v_of_dag
      from millrace.dag_run r
      where r.home_queue = coalesce(v_run.home_queue, p_queue) and r.dag_name = v_run.dag_name
        and r.status in ('not_started', 'running');
      if v_run.home_queue is null then
        v_of_dag := v_of_dag + v_active;
      else
        v_of_dag := v_of_dag + (
          select count(*) from millrace.dag_run r
          where r.queue = v_run.home_queue and r.dag_name = v_run.dag_name and r.home_queue is null
            and r.status in ('not_started', 'running')
        );
      end if;
      if v_of_dag >= v_run.most then
        v_full := v_full || v_run.dag_name;
        continue;
      end if;
    end if;
    update millrace.dag_run set status = 'not_started', ready_at = now() where run_key = v_run.run_key;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
