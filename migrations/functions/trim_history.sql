-- Removes the oldest root runs of DAGs that exceed their limit, with their descendants, unless one of those is active.
-- Deletes the row of history_trim when nothing is left to remove. Returns the keys of the removed runs.
-- Relies on dag_run_dag_idx. Locks: rows of history_trim by DAG, and runs; both skipped if held.
create or replace function millrace.trim_history(p_limit int) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_dag text;
  v_keep int;
  v_found int;
  v_roots bigint[];
  v_gone bigint[] := '{}';
begin
  for v_dag, v_keep in
    select s.dag_name, s.keep from millrace.history_trim s
    order by s.dag_name
    limit p_limit
    for update skip locked
  loop
    select count(*), coalesce(array_agg(old.run_key) filter (where old.has_ended), '{}') into v_found, v_roots
    from (
      select r.run_key,
        r.finished_at is not null
        and not exists (
          select from millrace.dag_run c where c.root_key = r.run_key and c.finished_at is null
        ) as has_ended
      from millrace.dag_run r
      where r.dag_name = v_dag and r.parent_key is null
      order by r.created_at desc, r.run_key desc
      offset v_keep
      limit p_limit
    ) as old;
    if v_found = 0 then
      delete from millrace.history_trim s where s.dag_name = v_dag;
    end if;
    v_gone := v_gone || v_roots;
    exit when cardinality(v_gone) >= p_limit;
  end loop;
  -- Checks finished_at again under the lock: a run may have been retried in the meantime.
  select coalesce(array_agg(held.run_key), '{}') into v_roots
  from (
    select r.run_key from millrace.dag_run r
    where r.run_key = any (v_gone) and r.finished_at is not null
    for update skip locked
  ) as held;
  return millrace.remove_trees(v_roots);
end
$$;
