-- Ends of root runs that the totals do not contain yet, one row per attempt. Whoever ends a run only adds a row, so that
-- recorders never wait for each other; fold_ends, of the next migration, moves the rows into the totals. No foreign key: a
-- run may go before.
create table millrace.run_end (
  run_key bigint not null,
  attempt int not null,
  file_name text,
  status text not null,
  started_at timestamptz,
  finished_at timestamptz not null,
  primary key (run_key, attempt)
);

-- How many root runs have ended so, ever. A retry lets a run end again, and it is counted again; nothing lowers a total.
create table millrace.run_total (
  status text primary key,
  runs bigint not null
);

-- The same for each stored DAG, from the first end on. The totals follow a DAG that is renamed, and go with its file.
create table millrace.dag_total (
  file_name text primary key references millrace.dag (file_name) on delete cascade on update cascade,
  since timestamptz not null default now(),
  succeeded bigint not null,
  failed bigint not null,
  cancelled bigint not null,
  last_success_at timestamptz,
  -- Of the last run that ended after it had started.
  last_duration interval
);
create index dag_total_since_idx on millrace.dag_total (since, file_name);

create function millrace.note_end() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  insert into millrace.run_end (run_key, attempt, file_name, status, started_at, finished_at)
  values (new.run_key, new.attempt, new.file_name, new.status, new.started_at, new.finished_at)
  on conflict do nothing;
  return null;
end
$$;

create trigger dag_run_ended after update on millrace.dag_run
for each row
when (old.finished_at is null and new.finished_at is not null and new.parent_key is null)
execute function millrace.note_end();

-- History that somebody inserts.
create trigger dag_run_inserted_ended after insert on millrace.dag_run
for each row
when (new.finished_at is not null and new.parent_key is null)
execute function millrace.note_end();

-- The same rule as dag_run_root_id_idx, in the order that finds ids by their beginning in the whole history.
create unique index dag_run_id_idx on millrace.dag_run (run_id text_pattern_ops, dag_name) where parent_key is null;

-- What a runner may claim: by the labels that runs ask for, then oldest first within priority. By a hash, because an index
-- has no room for labels of any length.
create index dag_run_labels_idx on millrace.dag_run
  (jsonb_hash_extended(labels, 0), priority desc, ready_at, run_key)
  where lease_owner is null and ready_at is not null and status in ('not_started', 'running');

-- Sets of labels that claimable runs ask for and p_labels has. Few labels: each of their subsets is looked up, however many
-- sets there are. More labels: the index is walked from set to set. Relies on dag_run_labels_idx.
create function millrace.label_sets(p_labels jsonb) returns jsonb[]
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

-- Claims up to p_count runs: oldest first within priority, labels matching, skipping what others hold. The first claim of a
-- run begins its opening steps, so that nothing must be committed between the claim and their processes. p_known: {hash of a
-- definition that the runner knows: [{"name", "place"}]}; "begun" of an answer: those of them that have begun. A local DAG
-- has other steps than its file. Runners of the version before send an array of hashes.
-- Measured with 100,000 runs in front that ask for labels which the runner lacks, each poll then finding its run:
--   index by priority and time, labels compared on the row: 3,000 pages, 57 ms; growing with those runs
--   the same with the labels as last column of the index: 2,900 pages, 54 ms
--   walk from set to set of labels that anybody asks for: 4 pages for each set; 10,000 sets: 40,700 pages, 45 ms
--   every subset of the runner's labels looked up: 4 pages for each; none 3, one label 14, four labels 56 pages, 0.3 ms
-- So subsets are looked up while they are few. To lock the first runs of each set at once would be shorter, but what is
-- locked and not claimed hides from other runners. The heads of several sets are therefore merged first, then locked.
create or replace function millrace.claim_runs(p_owner text, p_labels jsonb, p_count int, p_lease_ms int, p_known jsonb)
returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  -- Of each of several sets that many more are looked at than are asked for, because others may hold the first of them.
  v_spare constant int := 20;
  v_hashes constant text[] := array(
    select jsonb_array_elements_text(p_known) where jsonb_typeof(p_known) = 'array'
    union all
    select jsonb_object_keys(p_known) where jsonb_typeof(p_known) = 'object'
  );
  v_sets constant jsonb[] := millrace.label_sets(p_labels);
  v_set constant bigint := jsonb_hash_extended(v_sets[1], 0);
  v_keys bigint[];
  v_runs jsonb;
begin
  if cardinality(v_sets) < 2 then
    select array_agg(free.run_key) into v_keys
    from (
      select r.run_key
      from millrace.dag_run r
      where r.lease_owner is null and r.ready_at is not null and r.ready_at <= now()
        and r.status in ('not_started', 'running') and jsonb_hash_extended(r.labels, 0) = v_set
        and p_labels @> r.labels
      order by r.priority desc, r.ready_at, r.run_key
      limit p_count
      for no key update skip locked
    ) as free;
  else
    select array_agg(free.run_key) into v_keys
    from (
      select r.run_key
      from unnest(v_sets) as s (labels)
      cross join lateral (
        select h.run_key, h.priority, h.ready_at
        from millrace.dag_run h
        where h.lease_owner is null and h.ready_at is not null and h.ready_at <= now()
          and h.status in ('not_started', 'running')
          and jsonb_hash_extended(h.labels, 0) = jsonb_hash_extended(s.labels, 0) and p_labels @> h.labels
        order by h.priority desc, h.ready_at, h.run_key
        limit p_count + v_spare
      ) as head
      join millrace.dag_run r on r.run_key = head.run_key
      where r.lease_owner is null and r.ready_at is not null and r.status in ('not_started', 'running')
      order by head.priority desc, head.ready_at, head.run_key
      limit p_count
      for no key update of r skip locked
    ) as free;
  end if;
  if v_keys is null then
    return '[]';
  end if;
  with claimed as (
    update millrace.dag_run r
    set status = 'running', claim_token = r.claim_token + 1, lease_owner = p_owner,
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0), ready_at = null,
      started_at = coalesce(r.started_at, now())
    where r.run_key = any (v_keys)
    returning r.*
  ),
  begun as (
    insert into millrace.dag_run_step (run_key, name, place, status, phase, attempt, started_at)
    select c.run_key, s.name, s.place, 'running', 'executing', c.attempt, c.started_at
    from claimed c
    cross join lateral jsonb_to_recordset(p_known -> c.definition_hash) as s (name text, place int)
    where c.claim_token = 1 and c.attempt = 1 and c.stop_requested_at is null and c.document is null
    returning run_key, name, place
  )
  select coalesce(jsonb_agg(
    millrace.describe_run(claimed, v_hashes) || jsonb_build_object(
      'traceparent', claimed.traceparent,
      'begun', coalesce((
        select jsonb_agg(jsonb_build_object('name', b.name, 'place', b.place)) from begun b
        where b.run_key = claimed.run_key
      ), '[]')
    )
    order by run_key
  ), '[]')
  into v_runs
  from claimed;
  return v_runs;
end
$$;
