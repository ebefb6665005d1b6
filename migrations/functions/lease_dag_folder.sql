-- Acquires or renews the lease of the DAG folder for p_ms milliseconds. Returns false while another process holds it.
create or replace function millrace.lease_dag_folder(p_holder text, p_folder text, p_ms int) returns boolean
language sql
set search_path = pg_catalog
as $$
  with held as (
    insert into millrace.dag_folder as d (folder, holder, held_until)
    values (p_folder, p_holder, clock_timestamp() + make_interval(secs => p_ms / 1000.0))
    on conflict (is_only) do update
    set folder = excluded.folder, holder = excluded.holder, held_until = excluded.held_until,
      read_at = case when d.holder = excluded.holder then clock_timestamp() else d.read_at end
    where d.holder = excluded.holder or d.held_until < clock_timestamp()
    returning 1
  )
  select exists (select from held)
$$;
