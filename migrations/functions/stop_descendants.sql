-- Tells about p_limit descendants of a run to stop, as of p_at. p_again: includes runs that were told before p_at, which
-- aborts their handlers. Returns whether all have been told. Relies on dag_run_parent_idx.
-- Locks: runs by key. Afterwards it looks for runs that were created while it waited. It skips those that are locked rather
-- than wait for them, because their keys may be lower than the ones it holds.
create or replace function millrace.stop_descendants(p_key bigint, p_at timestamptz, p_limit int, p_again boolean) returns boolean
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_keys bigint[];
  v_held bigint[];
  v_told int := 0;
begin
  while v_told < p_limit loop
    select array_agg(found.run_key) into v_keys
    from (
      with recursive tree as (
        select r.run_key, r.status, r.stop_requested_at from millrace.dag_run r where r.parent_key = p_key
        union all
        select r.run_key, r.status, r.stop_requested_at
        from millrace.dag_run r join tree on r.parent_key = tree.run_key
      )
      select tree.run_key from tree
      where tree.status in ('not_started', 'running')
        and (tree.stop_requested_at is null or p_again and tree.stop_requested_at < p_at)
      limit p_limit - v_told
    ) as found;
    if v_keys is null then
      return true;
    end if;
    if v_told = 0 then
      perform from millrace.dag_run r where r.run_key = any (v_keys) order by r.run_key for no key update;
      v_held := v_keys;
    else
      select array_agg(free.run_key) into v_held
      from (
        select r.run_key from millrace.dag_run r where r.run_key = any (v_keys) for no key update skip locked
      ) as free;
      if v_held is null then
        return false;
      end if;
    end if;
    perform millrace.request_stops(v_held, p_at);
    v_told := v_told + cardinality(v_held);
  end loop;
  return false;
end
$$;
