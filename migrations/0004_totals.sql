-- How many runs have ever ended, whatever is kept of them. Nothing lowers a total; a retried run is counted again.

-- Ends of root runs that no total contains yet, one row an attempt. Ending a run only inserts a row, so recorders never
-- wait for each other; fold_ends moves the rows into the totals. No foreign key: the run may go first.
create table millrace.run_end (
  run_key bigint not null,
  attempt int not null,
  file_name text,
  status text not null,
  started_at timestamptz,
  finished_at timestamptz not null,
  primary key (run_key, attempt)
);

create table millrace.run_total (
  status text primary key,
  runs bigint not null
);

-- The same for each stored DAG, from its first end on. Totals follow a DAG that is renamed, and go with its file.
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
