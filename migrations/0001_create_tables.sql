-- The tables of Millrace. Words are stored, never the integers of the API. Every time is the database's.

create table millrace.definition (
  hash text primary key,
  spec text not null,
  base_spec text,
  created_at timestamptz not null default now()
);

create table millrace.dag (
  file_name text primary key,
  dag_name text not null,
  definition_hash text not null references millrace.definition (hash),
  version int not null default 1,
  summary jsonb not null,
  tags text[] not null default '{}',
  group_name text not null default '',
  problems text[] not null default '{}',
  queue text,
  max_active_runs int not null default 1,
  suspended_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint dag_file_name_check check (file_name ~ '^[a-zA-Z0-9_-]+$')
);
create index dag_name_idx on millrace.dag (dag_name);
create index dag_tags_idx on millrace.dag using gin (tags);

-- max_concurrency null: the queue of a DAG, whose limit each of its runs carries.
create table millrace.queue (
  name text primary key,
  max_concurrency int,
  priority int not null default 0,
  constraint queue_max_concurrency_check check (max_concurrency > 0)
);

create table millrace.dag_run (
  run_key bigint generated always as identity primary key,
  run_id text not null,
  dag_name text not null,
  file_name text,
  definition_hash text not null references millrace.definition (hash),
  document text,
  params_given text,
  inputs jsonb,
  status text not null,
  attempt int not null default 1,
  trigger_type text not null,
  queue text,
  max_active_runs int not null default 1,
  priority int not null default 0,
  labels jsonb not null default '{}',
  root_key bigint references millrace.dag_run (run_key) on delete cascade,
  parent_key bigint references millrace.dag_run (run_key) on delete cascade,
  parent_step text,
  parent_round int not null default 0,
  depth int not null default 0,
  schedule_kind text,
  scheduled_at timestamptz,
  ending text,
  checked boolean not null default false,
  last_start_at timestamptz,
  stop_requested_at timestamptz,
  claim_token bigint not null default 0,
  lease_owner text,
  lease_until timestamptz,
  ready_at timestamptz,
  lost_count int not null default 0,
  error text,
  -- What the caller gave so that a request that is sent twice acts once: for the making of the run, for its last retry.
  idempotency_key text,
  retry_key text,
  hist_retention_days int not null default 30,
  created_at timestamptz not null default now(),
  queued_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  -- Of roots: when the run and all below it may go. Null: never.
  expires_at timestamptz,
  constraint dag_run_status_check check (
    status in ('not_started', 'running', 'failed', 'cancelled', 'success', 'queued', 'partial_success')
  ),
  constraint dag_run_ending_check check (
    ending in ('stopped', 'timed_out', 'precondition_unmet', 'init_failed')
  ),
  constraint dag_run_run_id_check check (run_id ~ '^[A-Za-z0-9_-]{1,64}$' and run_id <> 'latest'),
  constraint dag_run_lease_check check ((lease_owner is null) = (lease_until is null)),
  constraint dag_run_finished_check check (
    (finished_at is not null) = (status in ('failed', 'cancelled', 'success', 'partial_success'))
  ),
  constraint dag_run_owned_check check (lease_owner is null or status = 'running'),
  constraint dag_run_parent_check check (
    (parent_key is null) = (parent_step is null) and (parent_key is null) = (root_key is null)
  )
);

create unique index dag_run_root_id_idx on millrace.dag_run (dag_name, run_id) where parent_key is null;
create unique index dag_run_idempotency_idx on millrace.dag_run (dag_name, idempotency_key)
  where idempotency_key is not null;
create unique index dag_run_child_id_idx on millrace.dag_run (root_key, run_id) where parent_key is not null;
create unique index dag_run_instant_idx on millrace.dag_run (file_name, schedule_kind, scheduled_at)
  where scheduled_at is not null;
-- What a runner may claim, oldest first within priority.
create index dag_run_claim_idx on millrace.dag_run (priority desc, ready_at, run_key)
  where lease_owner is null and ready_at is not null and status in ('not_started', 'running');
create index dag_run_lease_idx on millrace.dag_run (lease_until) where lease_owner is not null;
create index dag_run_expiry_idx on millrace.dag_run (expires_at) where expires_at is not null;
create index dag_run_owner_idx on millrace.dag_run (lease_owner) where lease_owner is not null;
create index dag_run_queued_idx on millrace.dag_run (queue, priority desc, run_key) where status = 'queued';
create index dag_run_active_idx on millrace.dag_run (queue) where status in ('not_started', 'running');
create index dag_run_active_dag_idx on millrace.dag_run (dag_name)
  where status in ('not_started', 'running', 'queued');
create index dag_run_parent_idx on millrace.dag_run (parent_key, parent_step, parent_round)
  where parent_key is not null;
create index dag_run_newest_idx on millrace.dag_run (created_at desc, run_key desc) where parent_key is null;
create index dag_run_dag_idx on millrace.dag_run (dag_name, created_at desc, run_key desc)
  where parent_key is null;
create index dag_run_status_idx on millrace.dag_run (status, created_at desc) where parent_key is null;

create table millrace.dag_run_step (
  run_key bigint not null references millrace.dag_run (run_key) on delete cascade,
  name text not null,
  place int not null,
  status text not null,
  phase text,
  attempt int not null default 1,
  retry_count int not null default 0,
  done_count int not null default 0,
  wait_until timestamptz,
  exit_code int,
  error text not null default '',
  tolerated boolean not null default false,
  outputs jsonb not null default '{}',
  conditions jsonb not null default '[]',
  started_at timestamptz,
  finished_at timestamptz,
  primary key (run_key, name),
  constraint dag_run_step_status_check check (
    status in ('not_started', 'running', 'failed', 'cancelled', 'success', 'skipped')
  ),
  constraint dag_run_step_phase_check check ((status = 'running') = (phase is not null))
);

create table millrace.schedule (
  file_name text not null references millrace.dag (file_name) on delete cascade on update cascade,
  kind text not null,
  place int not null,
  expression text not null,
  zone text,
  next_at timestamptz,
  primary key (file_name, kind, place),
  constraint schedule_kind_check check (kind in ('start', 'stop', 'restart'))
);
create index schedule_due_idx on millrace.schedule (next_at) where next_at is not null;

create table millrace.worker (
  id text primary key,
  labels jsonb not null default '{}',
  host text not null default '',
  pid int,
  slots int not null default 0,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  draining_at timestamptz
);

create table millrace.log_chunk (
  run_key bigint not null references millrace.dag_run (run_key) on delete cascade,
  attempt int not null,
  step text not null,
  stream text not null,
  sequence int not null,
  first_line bigint not null,
  line_count int not null,
  byte_offset bigint not null,
  byte_count int not null,
  body bytea not null,
  primary key (run_key, attempt, step, stream, sequence)
);
alter table millrace.log_chunk alter column body set storage external;
