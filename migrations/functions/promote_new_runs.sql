-- Promotes runs in the queues of new runs. Creates missing queues and ignores null names. Locks: queues by name.
create or replace function millrace.promote_new_runs(p_names text[]) returns void
language plpgsql
set search_path = pg_catalog
as $$
begin
  insert into millrace.queue (name)
  select distinct n from unnest(p_names) as n where n is not null order by n
  on conflict (name) do nothing;
  perform millrace.promote_in_queues(array(select distinct n from unnest(p_names) as n where n is not null));
end
$$;
