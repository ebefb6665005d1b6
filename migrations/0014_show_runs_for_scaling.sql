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
