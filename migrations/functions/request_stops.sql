-- Requests a stop of runs that the caller has locked. A run that was never claimed is cancelled here, since there is
-- nothing to clean up. A run that has lost its owner becomes claimable, so that a runner ends it.
create or replace function millrace.request_stops(p_keys bigint[], p_at timestamptz) returns void
language sql
set search_path = pg_catalog
as $$
  update millrace.dag_run r
  set stop_requested_at = p_at, -- a second stop is later, and ends a handler that is in progress
    status = case when r.status = 'not_started' then 'cancelled' else r.status end,
    ending = case when r.status = 'not_started' then 'stopped' else r.ending end,
    finished_at = case when r.status = 'not_started' then now() end,
    ready_at = case when r.status = 'running' and r.lease_owner is null then now() end
  where r.run_key = any (p_keys) and r.status in ('not_started', 'running')
$$;
