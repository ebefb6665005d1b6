-- The versions of DAGs, oldest first: each text that a DAG had, and its renames and its end. Triggers of millrace.dag write
-- them (number_version, keep_version), so that nothing changes a DAG without a version.
create table millrace.dag_version (
  -- The name of the DAG now. The history of a deleted DAG keeps its last name, and goes on when the DAG is created again.
  file_name text not null,
  -- That of millrace.dag, which is the newest.
  version int not null check (version >= 1),
  -- The name of the DAG then: runs know their DAG by it.
  named text not null,
  definition_hash text not null references millrace.definition (hash),
  change text not null check (change in ('created', 'saved', 'renamed', 'restored', 'deleted')),
  -- Of a restored text: the version that it comes from.
  restored int,
  saved_at timestamptz not null default now(),
  -- Null: nobody was asked, or the service itself.
  saved_by text,
  source text not null default 'service' check (source in ('page', 'cli', 'api', 'folder', 'service')),
  message text check (char_length(message) between 1 and 500),
  -- More than are kept: it goes when no run has its definition (remove_unused_definitions).
  is_surplus boolean not null default false,
  primary key (file_name, version)
);
create index dag_version_definition_idx on millrace.dag_version (definition_hash, named);
create index dag_version_deleted_idx on millrace.dag_version (saved_at) where change = 'deleted' and not is_surplus;

-- What DAGs are now is the first that is known of them.
insert into millrace.dag_version (file_name, version, named, definition_hash, change, saved_at)
select d.file_name, d.version, d.file_name, d.definition_hash, 'saved', d.updated_at
from millrace.dag d;

-- A version refers to the definition of its DAG, so a DAG does not leave one any more.
drop trigger if exists dag_definition on millrace.dag;
drop function if exists millrace.mark_gc_candidate;
