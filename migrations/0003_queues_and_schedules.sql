-- What starts runs, what limits them, and who works on them.

-- A row is made by the first run of the queue. max_concurrency null: the queue of a DAG, whose limit each of its runs has.
create table millrace.queue (
  name text primary key,
  max_concurrency int,
  priority int not null default 0,
  constraint queue_max_concurrency_check check (max_concurrency > 0)
);

create table millrace.schedule (
  file_name text not null references millrace.dag (file_name) on delete cascade on update cascade,
  kind text not null,
  -- Its index in the list of its kind.
  place int not null,
  expression text not null,
  zone text,
  -- The zone in which next_at was computed, for an entry that names none. Null if it does, or if that is not known.
  default_zone text,
  next_at timestamptz,
  primary key (file_name, kind, place),
  constraint schedule_kind_check check (kind in ('start', 'stop', 'restart'))
);
create index schedule_due_idx on millrace.schedule (next_at) where next_at is not null;

-- Settings that all parts share: what the last process applied counts for every part.
create table millrace.setting (
  name text primary key,
  -- Null: the default.
  value text,
  applied_at timestamptz not null default clock_timestamp(),
  -- Part, host and pid of the process.
  applied_by text not null
);

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

-- Processes that tick, renewed with every tick, removed after five silent minutes. Only shown: nothing relies on it.
create table millrace.ticker (
  id text primary key,
  host text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

-- For autoscalers, and stable for them: how much there is to do, by the labels that runs ask of a runner. A runner with
-- labels L may take the rows where L @> labels. startable: runs that a runner may claim now, or after the next promotion
-- within the limits of their queues (of a queue without a limit of its own the first 1000 are looked at). running: runs
-- that runners hold. Parents that wait for their children are neither, as they take no place.
-- Read with the rights of the owner: grant select on this view, and nothing else, to the autoscaler.
create view millrace.scaling_v1 as
with promotable as (
  select head.labels,
    bool_and(active.runs + head.place <= head.most) over (partition by q.name order by head.place) as fits
  from millrace.queue q
  cross join lateral (
    select count(*) as runs from millrace.dag_run r where r.queue = q.name and r.status in ('not_started', 'running')
  ) active
  cross join lateral (
    select r.labels, greatest(coalesce(q.max_concurrency, r.max_active_runs), 1) as most,
      row_number() over (order by r.priority desc, r.run_key) as place
    from millrace.dag_run r
    where r.queue = q.name and r.status = 'queued'
    order by r.priority desc, r.run_key
    limit greatest(coalesce(q.max_concurrency, 1000) - active.runs, 0)
  ) head
),
work as (
  select labels, 1 as startable, 0 as running from promotable where fits
  union all
  select labels, 1, 0 from millrace.dag_run
  where lease_owner is null and ready_at is not null and ready_at <= now() and status in ('not_started', 'running')
  union all
  select labels, 0, 1 from millrace.dag_run where lease_owner is not null
)
select labels, sum(startable) as startable, sum(running) as running from work group by labels;
