-- A run below that was told to stop before its parent may be in a handler by now. The first stop of the parent, and the
-- loss of its runners, leave it at that; the second stop of the parent ends handlers below, too.
alter table millrace.unfinished_stop add column again boolean not null default false;
drop function millrace.stop_below(bigint, timestamptz, int);

-- Tells runs below a run to stop, as of p_at; about p_limit of them; p_again: also those that were told before, which
-- ends a handler that is under way. Answers whether all are told. What was made while it waited is looked for again;
-- then it waits for nobody, because those keys may be lower than what it holds. Relies on dag_run_parent_idx.
create function millrace.stop_below(p_key bigint, p_at timestamptz, p_limit int, p_again boolean) returns boolean
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
    perform millrace.tell_to_stop(v_held, p_at);
    v_told := v_told + cardinality(v_held);
  end loop;
  return false;
end
$$;

create or replace function millrace.go_on_stopping(p_limit int) returns int
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_stop millrace.unfinished_stop;
begin
  select s.* into v_stop from millrace.unfinished_stop s order by s.id limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  delete from millrace.unfinished_stop s where s.id = v_stop.id;
  if not millrace.stop_below(v_stop.run_key, v_stop.requested_at, p_limit, v_stop.again) then
    -- Behind the others, so that none waits for a very large one.
    insert into millrace.unfinished_stop (run_key, requested_at, again)
    values (v_stop.run_key, v_stop.requested_at, v_stop.again);
  end if;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return 1;
end
$$;

-- Asks a run and everything below it to end. Answers stopping, cancelled, or not_running. Of a large tree the tick tells
-- the rest (go_on_stopping), so that no statement takes long.
create or replace function millrace.stop_run(p_key bigint) returns text
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_most constant int := 5000;
  v_status text;
  v_at timestamptz;
  v_again boolean;
begin
  select r.status, r.stop_requested_at is not null into v_status, v_again
  from millrace.dag_run r where r.run_key = p_key for no key update;
  if v_status is null or v_status not in ('not_started', 'running') then
    return 'not_running';
  end if;
  v_at := clock_timestamp();
  perform millrace.tell_to_stop(array[p_key], v_at);
  if not millrace.stop_below(p_key, v_at, v_most, v_again) then
    insert into millrace.unfinished_stop (run_key, requested_at, again) values (p_key, v_at, v_again);
  end if;
  perform millrace.promote_some(array_remove(array[r.queue, r.home_queue], null))
  from millrace.dag_run r where r.run_key = p_key and r.queue is not null;
  perform pg_notify('millrace_signal', '');
  perform pg_notify('millrace_work', '');
  return case when v_status = 'not_started' then 'cancelled' else 'stopping' end;
end
$$;
