-- Removes rows of queues that nothing names any more: no setting gives them a limit, they are the queue of no DAG, and no
-- run waits or is active in them or at home there (runs that have ended need no row, and a retry makes none). A statement
-- that enqueues makes the row and the run in one transaction, which the check below could not see; its lock on the table
-- shows. So the table is locked against new rows for this statement, and nothing is removed while somebody makes one, or
-- where somebody holds the row. Returns how many are gone. Relies on dag_run_queued_idx, dag_run_active_idx and
-- dag_run_elsewhere_idx.
create function millrace.forget_queues(p_limit int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_count int;
begin
  begin
    lock table millrace.queue in share row exclusive mode nowait;
  exception when lock_not_available then
    return 0;
  end;
  delete from millrace.queue
  where name in (
    select q.name
    from millrace.queue q
    where q.max_concurrency is null
      and not exists (select from millrace.dag d where coalesce(d.queue, d.dag_name) = q.name or d.dag_name = q.name)
      and not exists (select from millrace.dag_run r where r.queue = q.name and r.status = 'queued')
      and not exists (select from millrace.dag_run r where r.queue = q.name and r.status in ('not_started', 'running'))
      and not exists (
        select from millrace.dag_run r
        where r.home_queue = q.name and r.dag_name > '' and r.status in ('queued', 'not_started', 'running')
      )
    order by q.name
    limit p_limit
    for update of q skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

-- Which of these working folders no DAG and no run has any more, whatever their state. A folder has the name of the file,
-- or of the DAG where a run has no file, with _ for every other character. Few names get as far as the last look, which
-- reads all runs: those of DAGs that are gone.
create function millrace.unused_folders(p_names jsonb) returns jsonb
language plpgsql
stable
set search_path = pg_catalog
as $$
declare
  v_names text[];
begin
  select coalesce(array_agg(w.name), '{}') into v_names
  from jsonb_array_elements_text(p_names) as w (name)
  where not exists (select from millrace.dag d where d.file_name = w.name)
    and not exists (select from millrace.dag_run r where r.dag_name = w.name and r.file_name is null and r.parent_key is null);
  if cardinality(v_names) = 0 then
    return '[]';
  end if;
  return (
    select coalesce(jsonb_agg(w.name), '[]')
    from unnest(v_names) as w (name)
    where w.name <> all (array(
      select distinct regexp_replace(coalesce(r.file_name, r.dag_name), '[^A-Za-z0-9_-]', '_', 'g') from millrace.dag_run r
    ))
  );
end
$$;
