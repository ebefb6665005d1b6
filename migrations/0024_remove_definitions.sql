-- Definitions go when neither a DAG nor a run refers to them any more.
--
-- Which to look at is noted (is_loose), so that a tick reads nothing else. Nobody may refer to a definition that has just
-- been stored, that a DAG has left, or of which a run was removed: each of these notes it, and a look takes the note away
-- where somebody refers to it still.
--
-- Against whoever begins to refer to one at that very moment:
-- - A reference is made under a lock of the definition for key share (create_run takes it, and so does the foreign key),
--   which is held until the reference is committed. Who removes must have the lock for update, and looks again in the
--   statement after, whose snapshot is later than the lock: so whatever refers to it is either seen, or has yet to begin.
-- - A run that has yet to begin waits for the lock and finds nothing. It stores the text once more, or, when it has none,
--   is told that the file has changed. A DAG writes the row (on conflict do update), so that it is stored once more.
-- - The look that takes a note away has the lock for no key update, which runs that begin do not wait for, and which the
--   one who notes does wait for, before it asks what is noted. So a reference that goes meanwhile is noted after the look.
-- Whoever notes or looks at several locks them in the order of their hashes.
alter table millrace.definition add column is_loose boolean not null default true;
create index definition_loose_idx on millrace.definition (hash) where is_loose;

create index dag_definition_idx on millrace.dag (definition_hash);
create index dag_run_definition_idx on millrace.dag_run (definition_hash);

-- In place of dag_run_child_id_idx, whose condition on parent_key hid it from whoever asks for what is below a root: each
-- root that was removed cost a look at all runs.
create unique index dag_run_child_idx on millrace.dag_run (root_key, run_id) where root_key is not null;

create function millrace.note_definition() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  update millrace.definition set is_loose = true where hash = old.definition_hash;
  return null;
end
$$;

create trigger dag_definition
after update of definition_hash or delete on millrace.dag
for each row execute function millrace.note_definition();

-- Looks at definitions that are noted and removes those that nobody refers to. Those that somebody is about to refer to
-- stay noted. Returns how many it has looked at. Relies on definition_loose_idx, dag_definition_idx and
-- dag_run_definition_idx.
create function millrace.remove_definitions(p_limit int) returns int
language plpgsql
set search_path = pg_catalog
-- Where a few definitions have all runs, an index seems to be of no use: but those looked for are the ones without any.
set enable_seqscan = off
as $$
declare
  v_noted text[];
  v_used text[];
  v_unused text[];
begin
  select coalesce(array_agg(noted.hash), '{}') into v_noted
  from (
    select f.hash from millrace.definition f
    where f.is_loose
    order by f.hash
    limit p_limit
    for no key update skip locked
  ) as noted;
  select coalesce(array_agg(h.hash), '{}') into v_used
  from unnest(v_noted) as h (hash)
  where exists (select from millrace.dag d where d.definition_hash = h.hash)
    or exists (select from millrace.dag_run r where r.definition_hash = h.hash);
  update millrace.definition set is_loose = false where hash = any (v_used);
  select coalesce(array_agg(held.hash), '{}') into v_unused
  from (
    select f.hash from millrace.definition f
    where f.hash = any (v_noted) and f.hash <> all (v_used)
    order by f.hash
    for update skip locked
  ) as held;
  delete from millrace.definition f
  where f.hash = any (v_unused)
    and not exists (select from millrace.dag d where d.definition_hash = f.hash)
    and not exists (select from millrace.dag_run r where r.definition_hash = f.hash);
  return cardinality(v_noted);
end
$$;

-- Removes root runs, which the caller has locked, with all that is below them, and notes their definitions. Returns the
-- keys of what is gone.
create function millrace.remove_trees(p_roots bigint[]) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_keys bigint[];
  v_hashes text[];
begin
  select array_agg(gone.run_key), array_agg(distinct gone.definition_hash) into v_keys, v_hashes
  from (
    select r.run_key, r.definition_hash from millrace.dag_run r where r.run_key = any (p_roots)
    union all
    select r.run_key, r.definition_hash from millrace.dag_run r where r.root_key = any (p_roots)
  ) as gone;
  perform from millrace.definition f where f.hash = any (v_hashes) order by f.hash for no key update;
  update millrace.definition set is_loose = true where hash = any (v_hashes) and not is_loose;
  delete from millrace.dag_run where run_key = any (p_roots);
  return coalesce((select jsonb_agg(key::text) from unnest(v_keys) as key), '[]');
end
$$;

-- As before; what it finds goes by remove_trees.
create or replace function millrace.remove_expired_runs(p_limit int) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_roots bigint[];
begin
  select coalesce(array_agg(due.run_key), '{}') into v_roots
  from (
    select r.run_key from millrace.dag_run r
    where r.expires_at < (select clock_timestamp())
      and not exists (select from millrace.dag_run c where c.root_key = r.run_key and c.finished_at is null)
    order by r.expires_at
    limit p_limit
    for update skip locked
  ) as due;
  return millrace.remove_trees(v_roots);
end
$$;

-- As before; what it finds goes by remove_trees.
create or replace function millrace.remove_surplus_runs(p_limit int) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_dag text;
  v_keep int;
  v_found int;
  v_roots bigint[];
  v_gone bigint[] := '{}';
begin
  for v_dag, v_keep in
    select s.dag_name, s.keep from millrace.surplus_history s
    order by s.dag_name
    limit p_limit
    for update skip locked
  loop
    select count(*), coalesce(array_agg(old.run_key) filter (where old.has_ended), '{}') into v_found, v_roots
    from (
      select r.run_key,
        r.finished_at is not null
        and not exists (
          select from millrace.dag_run c where c.root_key = r.run_key and c.finished_at is null
        ) as has_ended
      from millrace.dag_run r
      where r.dag_name = v_dag and r.parent_key is null
      order by r.created_at desc, r.run_key desc
      offset v_keep
      limit p_limit
    ) as old;
    if v_found = 0 then
      delete from millrace.surplus_history s where s.dag_name = v_dag;
    end if;
    v_gone := v_gone || v_roots;
    exit when cardinality(v_gone) >= p_limit;
  end loop;
  -- A run that is being tried again at this moment is locked, and has not ended when the lock is free.
  select coalesce(array_agg(held.run_key), '{}') into v_roots
  from (
    select r.run_key from millrace.dag_run r
    where r.run_key = any (v_gone) and r.finished_at is not null
    for update skip locked
  ) as held;
  return millrace.remove_trees(v_roots);
end
$$;

-- As before, but the definition is locked before anything relies on it.
create or replace function millrace.create_run(p jsonb) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_parent millrace.dag_run;
  v_is_child constant boolean := jsonb_typeof(p -> 'parent') = 'object';
  v_is_queued constant boolean := p ->> 'mode' = 'enqueue';
  v_root bigint;
  v_key bigint;
  v_queue constant text := p ->> 'queue';
  v_repeated jsonb;
begin
  v_repeated := millrace.find_repeated(p);
  if v_repeated is not null then
    return v_repeated;
  end if;
  if v_is_child then
    select * into v_parent from millrace.dag_run r
    where r.run_key = (p #>> '{parent,runKey}')::bigint and r.claim_token = (p #>> '{parent,token}')::bigint
      and r.lease_owner is not null and r.stop_requested_at is null
    for share;
    if not found then
      return jsonb_build_object('result', 'not_allowed');
    end if;
    v_root := coalesce(v_parent.root_key, v_parent.run_key);
  end if;
  if coalesce((p ->> 'singleton')::boolean, false) then
    -- One at a time per DAG: the second waits here, and then sees the first.
    perform pg_advisory_xact_lock(hashtextextended('millrace.singleton.' || (p ->> 'dagName'), 0));
    v_repeated := millrace.find_repeated(p);
    if v_repeated is not null then
      return v_repeated;
    end if;
    if exists (
      select from millrace.dag_run r
      where r.dag_name = p ->> 'dagName' and r.status in ('not_started', 'running', 'queued')
    ) then
      return jsonb_build_object('result', 'already_running');
    end if;
  end if;
  if p ->> 'spec' is not null then
    loop
      perform from millrace.definition f where f.hash = p ->> 'definitionHash' for key share;
      exit when found;
      insert into millrace.definition (hash, spec, base_spec)
      values (p ->> 'definitionHash', p ->> 'spec', p ->> 'baseSpec')
      on conflict (hash) do nothing;
      exit when found;
    end loop;
  else
    perform from millrace.dag d
    join millrace.definition f on f.hash = d.definition_hash
    where d.file_name = p ->> 'fileName' and d.definition_hash = p ->> 'definitionHash'
    for key share of f;
    if not found then
      return jsonb_build_object('result', 'changed');
    end if;
  end if;
  if v_is_queued then
    insert into millrace.queue (name) values (v_queue) on conflict (name) do nothing;
  end if;
  insert into millrace.dag_run (
    run_id, dag_name, file_name, definition_hash, document, params_given, status, trigger_type, queue,
    max_active_runs, priority, labels, root_key, parent_key, parent_step, parent_round, depth, schedule_kind,
    scheduled_at, hist_retention_days, idempotency_key, ready_at, queued_at
  )
  values (
    p ->> 'runId', p ->> 'dagName', p ->> 'fileName', p ->> 'definitionHash', p ->> 'document', p ->> 'params',
    case when v_is_queued then 'queued' else 'not_started' end, p ->> 'trigger', v_queue,
    greatest(coalesce((p ->> 'maxActiveRuns')::int, 1), 1), coalesce((p ->> 'priority')::int, 0),
    coalesce(p -> 'labels', '{}'), v_root, v_parent.run_key, p #>> '{parent,step}',
    coalesce((p #>> '{parent,round}')::int, 0), coalesce(v_parent.depth + 1, 0), p ->> 'scheduleKind',
    millrace.at((p ->> 'scheduledAt')::float8), coalesce((p ->> 'histRetentionDays')::int, 30),
    p ->> 'idempotencyKey', case when not v_is_queued then now() end, case when v_is_queued then now() end
  )
  on conflict do nothing
  returning run_key into v_key;
  if v_key is null then
    v_repeated := millrace.find_repeated(p);
    if v_repeated is not null then
      return v_repeated;
    end if;
    select r.run_key into v_key from millrace.dag_run r
    where r.run_id = p ->> 'runId'
      and (case when v_is_child then r.root_key = v_root else r.parent_key is null and r.dag_name = p ->> 'dagName' end);
    return jsonb_build_object('result', 'exists', 'runKey', v_key::text);
  end if;
  if not v_is_child and jsonb_typeof(p -> 'histRetentionRuns') = 'number' then
    insert into millrace.surplus_history (dag_name, keep) values (p ->> 'dagName', (p ->> 'histRetentionRuns')::int)
    on conflict (dag_name) do update set keep = excluded.keep;
  end if;
  if v_is_queued then
    perform millrace.promote_queue(v_queue);
  else
    perform pg_notify('millrace_work', '');
  end if;
  return jsonb_build_object('result', 'created', 'runKey', v_key::text);
end
$$;

-- As before, but a file that changes at this moment is read again: it was told as a run that exists already.
create or replace function millrace.start_run(file_name text, params text default null, run_id text default null)
returns text
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_id constant text := coalesce(run_id, gen_random_uuid()::text);
  v_answer jsonb;
begin
  loop
    select millrace.create_run(d.run_settings || jsonb_build_object(
      'runId', v_id, 'dagName', d.dag_name, 'fileName', d.file_name, 'definitionHash', d.definition_hash,
      'params', start_run.params, 'trigger', 'sql', 'mode', 'start', 'queue', coalesce(d.queue, d.dag_name),
      'maxActiveRuns', d.max_active_runs
    ))
    into v_answer
    from millrace.dag d
    where d.file_name = start_run.file_name;
    if v_answer is null then
      raise exception 'DAG "%" not found', file_name using errcode = 'no_data_found';
    end if;
    exit when v_answer ->> 'result' <> 'changed';
  end loop;
  if v_answer ->> 'result' <> 'created' then
    raise exception 'run "%" of DAG "%" already exists', v_id, file_name using errcode = 'unique_violation';
  end if;
  return v_id;
end
$$;

-- Last: it keeps everybody out until all this is committed.
drop index millrace.dag_run_child_id_idx;
