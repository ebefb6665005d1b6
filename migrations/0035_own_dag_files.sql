-- A folder of DAG files can be the source of DAGs. One process at a time reads it, so that several with the same folder,
-- or with folders that differ, do not undo what the others do.

create table millrace.dag_folder (
  -- There is at most one row.
  is_only boolean primary key default true,
  -- The folder as its holder names it.
  folder text not null,
  -- The process that reads it, and until when no other may.
  holder text not null,
  held_until timestamptz not null,
  -- When it was last read.
  read_at timestamptz,
  constraint dag_folder_only_check check (is_only)
);

create table millrace.dag_file (
  -- Relative to the folder.
  path text primary key,
  -- The DAG that it is; null: it cannot be one.
  file_name text,
  -- Why its text is not stored; null: it is.
  fault text
);
create index dag_file_name_idx on millrace.dag_file (file_name);

-- The files that own their DAGs: those of a folder that was read within a day.
create view millrace.owning_file as
select f.path, f.file_name, f.fault from millrace.dag_file f
where exists (select from millrace.dag_folder d where d.read_at > clock_timestamp() - interval '1 day');

-- Takes or keeps the folder for so many milliseconds. Returns false, and does nothing, while another process holds it.
create function millrace.hold_dag_folder(p_holder text, p_folder text, p_ms int) returns boolean
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

-- Notes the files that the folder has now, unless another process has taken it meanwhile.
-- p_files: [{"path", "fileName", "fault"}].
create function millrace.note_dag_files(p_holder text, p_files jsonb) returns boolean
language plpgsql
set search_path = pg_catalog
as $$
begin
  update millrace.dag_folder d set read_at = clock_timestamp() where d.holder = p_holder;
  if not found then
    return false;
  end if;
  delete from millrace.dag_file f
  where not exists (select from jsonb_array_elements(p_files) g where g ->> 'path' = f.path);
  insert into millrace.dag_file as f (path, file_name, fault)
  select g.path, g."fileName", g.fault from jsonb_to_recordset(p_files) as g (path text, "fileName" text, fault text)
  on conflict (path) do update set file_name = excluded.file_name, fault = excluded.fault
  where (f.file_name, f.fault) is distinct from (excluded.file_name, excluded.fault);
  return true;
end
$$;
