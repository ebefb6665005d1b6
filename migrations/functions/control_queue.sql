-- Pauses or resumes a queue, and sets or clears its limit: p_change {"paused": boolean, "limit": number or null}; absent
-- fields stay unchanged. Returns false if there is no such queue: it has no row, and no DAG or active run names it.
-- A pause also requeues promoted runs that nobody has claimed, so no run of the queue starts after it. They keep their
-- positions, which follow from the age of a run. Locked runs are skipped: they have just been claimed, or are being stopped.
-- The caller promotes afterwards with promote_in_queues, which locks several queues in order.
-- Locks: the queue. Relies on dag_run_active_idx.
create or replace function millrace.control_queue(p_name text, p_change jsonb, p_by text) returns boolean
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_sets_limit constant boolean := p_change ? 'limit';
  v_limit constant int := (p_change ->> 'limit')::int;
  v_pauses constant boolean := (p_change ->> 'paused')::boolean;
begin
  insert into millrace.queue (name)
  select p_name
  where exists (select from millrace.dag d where coalesce(d.queue, d.dag_name) = p_name or d.dag_name = p_name)
    or exists (select from millrace.dag_run r where r.queue = p_name and r.status in ('not_started', 'running'))
  on conflict (name) do nothing;
  perform from millrace.queue q where q.name = p_name for update;
  if not found then
    return false;
  end if;
  update millrace.queue q
  set limit_at = case
      when v_sets_limit and v_limit is distinct from q.limit_override then clock_timestamp()
      else q.limit_at
    end,
    limit_by = case when not v_sets_limit then q.limit_by when v_limit is not null then p_by end,
    limit_override = case when v_sets_limit then v_limit else q.limit_override end,
    -- Pausing a paused queue keeps the first time and user.
    paused_at = case v_pauses when true then coalesce(q.paused_at, clock_timestamp()) when false then null else q.paused_at end,
    paused_by = case v_pauses when true then coalesce(q.paused_by, p_by) when false then null else q.paused_by end
  where q.name = p_name;
  if v_pauses then
    update millrace.dag_run
    set status = 'queued', ready_at = null
    where run_key in (
      select r.run_key from millrace.dag_run r
      where r.queue = p_name and r.status = 'not_started'
        and r.queued_at is not null and r.stop_requested_at is null
      order by r.run_key
      for no key update skip locked
    );
  end if;
  return true;
end
$$;
