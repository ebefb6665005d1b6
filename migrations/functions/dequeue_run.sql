-- Cancels a queued run. Dequeue and promotion both lock the row, so exactly one of them wins.
create or replace function millrace.dequeue_run(p_key bigint) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  update millrace.dag_run set status = 'cancelled', ending = 'stopped', finished_at = now()
  where run_key = p_key and status = 'queued';
  return case when found then 'dequeued' else 'not_queued' end;
end
$$;
