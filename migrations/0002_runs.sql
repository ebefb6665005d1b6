-- Runs and their steps. Status changes go through SQL functions; the trigger guard_run_transition refuses all others.
--
-- Functions wait for locks in one order, so that no two statements wait for each other:
--   1. a DAG that starts one run at a time (advisory, by its hash)
--   2. runs by ascending key: a child has a higher key than its parent, so a tree is locked from its root downwards. Steps,
--      logs and inputs are written under the lock of their run
--   3. definitions by hash, then rows of history_trim by DAG
--   4. queues by name
-- A lock out of this order is skipped when somebody else holds it (skip locked): schedule entries and DAGs before all
-- others, runs that are promoted under the lock of their queue, unfinished stops. Runs are locked as an update locks them
-- (no key update), so that the foreign keys of their children do not wait.

create table millrace.dag_run (
  run_key bigint generated always as identity primary key,
  -- Unique among the root runs of a DAG, and among the runs below one root.
  run_id text not null,
  dag_name text not null,
  -- Null: made from a text that is not stored under a name.
  file_name text,
  definition_hash text not null references millrace.definition (hash),
  -- The name of a local DAG: a further YAML document of the file. Null: the first one.
  local_dag text,
  params_given text,
  -- Params and environment, evaluated once by the runner that prepared the run.
  inputs jsonb,
  status text not null,
  attempt int not null default 1,
  -- Attempts before this one, oldest first, the 100 latest: [{"attempt", "status", "startedAt", "finishedAt", "error"}].
  past_attempts jsonb,
  trigger_type text not null,

  -- Null: started without a queue.
  queue text,
  -- The queue of the DAG, if the caller chose another. max_active_runs of a DAG counts its runs at home and elsewhere, so
  -- that a caller who may only enqueue raises no limit.
  home_queue text,
  max_active_runs int not null default 1,
  priority int not null default 0,
  -- What a runner must have to claim the run.
  labels jsonb not null default '{}',

  -- Of child runs: the root of the tree, the run that started it, and the step and iteration that did.
  root_key bigint references millrace.dag_run (run_key) on delete cascade,
  parent_key bigint references millrace.dag_run (run_key) on delete cascade,
  parent_step text,
  parent_iteration int not null default 0,
  depth int not null default 0,

  -- The instant of the schedule that started it.
  schedule_kind text,
  scheduled_at timestamptz,

  -- Why it ends early, from the moment when that is known.
  ending text,
  -- Its preconditions hold.
  checked boolean not null default false,
  -- When a step was last started, for delays between steps.
  last_start_at timestamptz,
  stop_requested_at timestamptz,

  -- The claim. The token grows with each claim and fences the writes of former owners.
  claim_token bigint not null default 0,
  lease_owner text,
  lease_until timestamptz,
  -- Claimable from this moment on, while it has no owner.
  ready_at timestamptz,
  -- Runners lost in a row.
  lost_count int not null default 0,
  error text,

  -- Keys that make a repeated request act once: the one that created the run, and its last retry.
  idempotency_key text,
  retry_key text,
  -- W3C trace context of whoever started it; null for most.
  traceparent text,

  hist_retention_days int not null default 30,
  created_at timestamptz not null default now(),
  queued_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  -- Of roots: when the run and all below it may be removed. Null: never.
  expires_at timestamptz,

  constraint dag_run_status_check check (
    status in ('not_started', 'running', 'failed', 'cancelled', 'success', 'queued', 'partial_success')
  ),
  constraint dag_run_ending_check check (
    ending in ('stopped', 'timed_out', 'precondition_unmet', 'init_failed', 'runner_lost')
  ),
  constraint dag_run_run_id_check check (run_id ~ '^[A-Za-z0-9_-]{1,64}$' and run_id <> 'latest'),
  constraint dag_run_lease_check check ((lease_owner is null) = (lease_until is null)),
  constraint dag_run_finished_check check (
    (finished_at is not null) = (status in ('failed', 'cancelled', 'success', 'partial_success'))
  ),
  constraint dag_run_owned_check check (lease_owner is null or status = 'running'),
  constraint dag_run_parent_check check (
    (parent_key is null) = (parent_step is null) and (parent_key is null) = (root_key is null)
  ),
  constraint dag_run_past_attempts_check check (
    jsonb_array_length(past_attempts) between 1 and least(attempt - 1, 100)
  )
);

-- The unique id of a root run; its order finds ids by their beginning.
create unique index dag_run_id_idx on millrace.dag_run (run_id text_pattern_ops, dag_name) where parent_key is null;
create unique index dag_run_child_idx on millrace.dag_run (root_key, run_id) where root_key is not null;
create unique index dag_run_idempotency_idx on millrace.dag_run (dag_name, idempotency_key)
  where idempotency_key is not null;
-- An instant of a schedule starts one run.
create unique index dag_run_instant_idx on millrace.dag_run (file_name, schedule_kind, scheduled_at)
  where scheduled_at is not null;

-- What a runner may claim: by the labels that runs ask for, then oldest first within priority. By a hash, because an index
-- has no room for labels of any length. There is no index on lease_until: no query could use it, and without it a renewal
-- writes no index.
create index dag_run_labels_idx on millrace.dag_run
  (jsonb_hash_extended(labels, 0), priority desc, ready_at, run_key)
  where lease_owner is null and ready_at is not null and status in ('not_started', 'running');
create index dag_run_owner_idx on millrace.dag_run (lease_owner) where lease_owner is not null;
create index dag_run_parent_idx on millrace.dag_run (parent_key, parent_step, parent_iteration)
  where parent_key is not null;
create index dag_run_definition_idx on millrace.dag_run (definition_hash);
create index dag_run_expiry_idx on millrace.dag_run (expires_at) where expires_at is not null;

-- Queues: who waits, who is active. Few runs are elsewhere than at home; the last two are asked by two columns, so that the
-- planner chooses them before there are statistics, and not those of all runs that wait or are active.
create index dag_run_queued_idx on millrace.dag_run (queue, priority desc, run_key) where status = 'queued';
create index dag_run_active_idx on millrace.dag_run (queue) where status in ('not_started', 'running');
create index dag_run_active_dag_idx on millrace.dag_run (dag_name)
  where status in ('not_started', 'running', 'queued');
create index dag_run_elsewhere_idx on millrace.dag_run (home_queue, dag_name, status, queue)
  where home_queue is not null and status in ('queued', 'not_started', 'running');
create index dag_run_guest_idx on millrace.dag_run (queue, home_queue)
  where home_queue is not null and status = 'queued';

-- Lists of root runs.
create index dag_run_newest_idx on millrace.dag_run (created_at desc, run_key desc) where parent_key is null;
create index dag_run_dag_idx on millrace.dag_run (dag_name, created_at desc, run_key desc)
  where parent_key is null;
create index dag_run_status_idx on millrace.dag_run (status, created_at desc) where parent_key is null;

-- A step that has begun; others have no row.
create table millrace.dag_run_step (
  run_key bigint not null references millrace.dag_run (run_key) on delete cascade,
  name text not null,
  -- Its index in the definition.
  place int not null,
  status text not null,
  -- What it is doing while it runs: executing, waiting for a retry …
  phase text,
  -- The attempt of the run that it belongs to.
  attempt int not null default 1,
  retry_count int not null default 0,
  done_count int not null default 0,
  wait_until timestamptz,
  exit_code int,
  error text not null default '',
  -- It has failed, and continueOn lets the run go on.
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

-- Stops of large trees of which some runs are not told yet; the tick continues them.
create table millrace.unfinished_stop (
  id bigint generated always as identity primary key,
  run_key bigint not null,
  requested_at timestamptz not null,
  -- A second stop: it ends handlers below, too. The first leaves alone what was told to stop before.
  again boolean not null default false
);

-- DAGs that keep a number of runs and may have more. A new run adds the row; the tick looks only at these.
create table millrace.history_trim (
  dag_name text primary key,
  keep int not null,
  constraint history_trim_keep_check check (keep > 0)
);
