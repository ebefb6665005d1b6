-- The label sets that claimable runs require and p_labels satisfies. With up to six labels each subset is looked up, which
-- does not depend on the number of sets; with more, a skip scan reads each set from the index. claim_runs has the figures.
-- Relies on dag_run_labels_idx.
create or replace function millrace.label_sets(p_labels jsonb) returns jsonb[]
language plpgsql stable
set search_path = pg_catalog
as $$
declare
  v_subsets_of_most constant int := 6;
  v_count constant int := (select count(*) from jsonb_object_keys(p_labels));
begin
  if v_count = 0 then
    return array['{}'::jsonb];
  elsif v_count <= v_subsets_of_most then
    return array(
      with recursive label as (
        select row_number() over () as n, jsonb_build_object(key, value) as pair from jsonb_each(p_labels)
      ),
      subset as (
        select '{}'::jsonb as labels, 0::bigint as n
        union all
        select s.labels || l.pair, l.n from subset s join label l on l.n > s.n
      )
      select s.labels from subset s
      where exists (
        select from millrace.dag_run r
        where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
          and jsonb_hash_extended(r.labels, 0) = jsonb_hash_extended(s.labels, 0)
      )
    );
  end if;
  return array(
    with recursive walk as (
      (
        select jsonb_hash_extended(r.labels, 0) as hash, r.labels from millrace.dag_run r
        where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
        order by jsonb_hash_extended(r.labels, 0)
        limit 1
      )
      union all
      select further.hash, further.labels from walk cross join lateral (
        select jsonb_hash_extended(r.labels, 0) as hash, r.labels from millrace.dag_run r
        where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
          and jsonb_hash_extended(r.labels, 0) > walk.hash
        order by jsonb_hash_extended(r.labels, 0)
        limit 1
      ) further
    )
    select w.labels from walk w where p_labels @> w.labels
  );
end
$$;
