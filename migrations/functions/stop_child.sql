-- Like stop_run, for a stopping parent. A run that was told to stop before is not told again, which would abort its handler.
create or replace function millrace.stop_child(p_key bigint) returns text
language plpgsql
set search_path = pg_catalog
as $$
begin
  perform from millrace.dag_run r
  where r.run_key = p_key and r.stop_requested_at is null and r.status in ('not_started', 'running');
  return case when found then millrace.stop_run(p_key) else 'not_running' end;
end
$$;
