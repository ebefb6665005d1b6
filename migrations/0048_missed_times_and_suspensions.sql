-- Who suspended a DAG; null for DAGs that nobody has, and where nobody is asked.
alter table millrace.dag add column suspended_by text;

-- The runs that schedules started, by their instants.
create index dag_run_scheduled_idx on millrace.dag_run (scheduled_at) where scheduled_at is not null;

-- Times of a schedule entry that started no run and were meant to: nobody ticked in time, a run was under way, a later time
-- was made up for them. Of a suspended DAG none is noted. A row stands for all times of the expression from from_at to
-- until_at; fire_schedule extends it while the reason stays, so that rows follow the changes and not the time. The tick
-- removes what is older than a month.
create table millrace.missed_times (
  file_name text not null references millrace.dag (file_name) on delete cascade on update cascade,
  kind text not null,
  expression text not null,
  -- The zone in which they were computed.
  zone text not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  why text not null,
  primary key (file_name, kind, expression, zone, from_at),
  constraint missed_times_order_check check (from_at <= until_at)
);
create index missed_times_until_idx on millrace.missed_times (until_at);
