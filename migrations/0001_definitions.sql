-- DAGs: their texts, the names under which they are stored, and the folder that they may come from.
-- In all tables words are stored, never the integers of the API, and every time is by the clock of the database.

-- The text of a DAG file with the base configuration that completes it, by the hash of both. Runs refer to a definition, so
-- a later change of the file does not affect them.
--
-- A definition goes when no DAG and no run refers to it. gc_candidate marks those to look at, so that a tick reads nothing
-- else: a definition that is new, that a DAG has left, or of which a run was removed. remove_unused_definitions looks at
-- them, and removes a mark where something still refers to the definition. Beside new references this is safe, because:
-- - A reference is made under a lock of the definition for key share (create_run takes it, and so does the foreign key),
--   held until the reference is committed. A removal needs the lock for update, and checks again in the statement after,
--   whose snapshot is later than the lock. So it sees each reference that was made before, and no other can be made.
-- - A run that waits for the lock finds nothing then. It stores the text again or, if it has none, answers that the file
--   has changed. A DAG writes the row (on conflict do update), so it is stored again.
-- - A mark is removed under the lock for no key update, which new runs do not wait for, and which whoever sets a mark
--   waits for. So a reference that ends meanwhile is marked after the check.
-- Several definitions are locked in the order of their hashes.
create table millrace.definition (
  hash text primary key,
  spec text not null,
  base_spec text,
  created_at timestamptz not null default now(),
  gc_candidate boolean not null default true
);
create index definition_gc_idx on millrace.definition (hash) where gc_candidate;

-- A stored DAG. A DAG is addressed by file_name; its runs belong to dag_name, which the text may set.
create table millrace.dag (
  file_name text primary key,
  dag_name text not null,
  definition_hash text not null references millrace.definition (hash),
  version int not null default 1,
  summary jsonb not null,
  tags text[] not null default '{}',
  group_name text not null default '',
  problems text[] not null default '{}',
  -- Null: the queue named after the DAG.
  queue text,
  max_active_runs int not null default 1,
  -- What a run is given beside its text: {"labels", "histRetentionDays", "histRetentionRuns"}.
  run_settings jsonb not null default '{}',
  suspended_at timestamptz,
  -- When a suspension ended: instants that were due before never start a run.
  resumed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint dag_file_name_check check (file_name ~ '^[a-zA-Z0-9_-]+$')
);
create index dag_name_idx on millrace.dag (dag_name);
create index dag_tags_idx on millrace.dag using gin (tags);
create index dag_definition_idx on millrace.dag (definition_hash);
-- The order of the list: without the index each page sorts all DAGs.
create index dag_listed_idx on millrace.dag (lower(dag_name), file_name);

-- The folder that DAGs come from, if there is one. One process at a time reads it, so that several processes with the same
-- folder, or with different ones, do not undo each other's work.
create table millrace.dag_folder (
  -- There is at most one row.
  is_only boolean primary key default true,
  -- The path, as its holder names it.
  folder text not null,
  -- The process that reads it, and until when no other may.
  holder text not null,
  held_until timestamptz not null,
  read_at timestamptz,
  constraint dag_folder_only_check check (is_only)
);

create table millrace.dag_file (
  -- Relative to the folder.
  path text primary key,
  -- The DAG that it owns; null: it cannot be one.
  file_name text,
  -- Why its text is not stored; null: it is.
  fault text
);
create index dag_file_name_idx on millrace.dag_file (file_name);

-- Files that own their DAGs: those of a folder that was read within a day.
create view millrace.owning_file as
select f.path, f.file_name, f.fault from millrace.dag_file f
where exists (select from millrace.dag_folder d where d.read_at > clock_timestamp() - interval '1 day');
