-- Takes the locks for several requests before the first run is created: singleton DAGs, parents by key, definitions by
-- hash, rows of history_trim by DAG. Queues are locked later, after all runs are created.
create or replace function millrace.lock_requests(p_requests jsonb) returns void
language plpgsql
set search_path = pg_catalog
as $$
begin
  perform pg_advisory_xact_lock(dag.key)
  from (
    select distinct hashtextextended('millrace.singleton.' || (r ->> 'dagName'), 0) as key
    from jsonb_array_elements(p_requests) as r
    where (r ->> 'singleton')::boolean
    order by 1
  ) as dag;
  perform from millrace.dag_run d
  where d.run_key in (select (r #>> '{parent,runKey}')::bigint from jsonb_array_elements(p_requests) as r)
  order by d.run_key
  for share;
  insert into millrace.definition (hash, spec, base_spec)
  select distinct on (r ->> 'definitionHash') r ->> 'definitionHash', r ->> 'spec', r ->> 'baseSpec'
  from jsonb_array_elements(p_requests) as r
  where r ->> 'spec' is not null
  order by 1
  on conflict (hash) do nothing;
  perform from millrace.definition f
  where f.hash in (select r ->> 'definitionHash' from jsonb_array_elements(p_requests) as r)
  order by f.hash
  for key share;
  insert into millrace.history_trim (dag_name, keep)
  select distinct on (r ->> 'dagName') r ->> 'dagName', (r ->> 'histRetentionRuns')::int
  from jsonb_array_elements(p_requests) as r
  where jsonb_typeof(r -> 'histRetentionRuns') = 'number' and jsonb_typeof(r -> 'parent') is distinct from 'object'
  order by 1
  on conflict (dag_name) do update set keep = excluded.keep;
end
$$;
