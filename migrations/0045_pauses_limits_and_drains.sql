-- What people change while the service runs: a queue is paused or given another limit, a runner is drained.

-- limit_override: counts instead of max_concurrency, which the settings give, until it is cleared. limit_at: when the limit
-- in force changed; runs that were promoted before may be more than it allows. '' stands for somebody who is not known.
alter table millrace.queue
  add column limit_override int,
  add column limit_by text,
  add column limit_at timestamptz,
  add column paused_at timestamptz,
  add column paused_by text;
alter table millrace.queue add constraint queue_limit_override_check
check (limit_override > 0 and (limit_override is null) = (limit_by is null)) not valid;
alter table millrace.queue add constraint queue_paused_check
check ((paused_at is null) = (paused_by is null)) not valid;
alter table millrace.queue validate constraint queue_limit_override_check;
alter table millrace.queue validate constraint queue_paused_check;

-- Who drained the runner; null: nobody, or it drains because it ends.
alter table millrace.worker add column drained_by text;
alter table millrace.worker add constraint worker_drained_check
check (drained_by is null or draining_at is not null) not valid;
alter table millrace.worker validate constraint worker_drained_check;

-- As before, but nothing that waits in a paused queue is startable, and a limit set by somebody counts.
create or replace view millrace.scaling_v1 as
with promotable as (
  select head.labels,
    bool_and(active.runs + head.place <= head.most) over (partition by q.name order by head.place) as fits
  from millrace.queue q
  cross join lateral (
    select count(*) as runs from millrace.dag_run r where r.queue = q.name and r.status in ('not_started', 'running')
  ) active
  cross join lateral (
    select r.labels,
      greatest(coalesce(q.limit_override, q.max_concurrency, r.max_active_runs), 1) as most,
      row_number() over (order by r.priority desc, r.run_key) as place
    from millrace.dag_run r
    where r.queue = q.name and r.status = 'queued'
    order by r.priority desc, r.run_key
    limit greatest(coalesce(q.limit_override, q.max_concurrency, 1000) - active.runs, 0)
  ) head
  where q.paused_at is null
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
