-- When each piece of a log was stored, so that the logs of several steps can be read in the order of time. Pieces that
-- were stored before have no time. An object that stands for several pieces keeps theirs, about one a second:
-- [[byte offset, line feeds before it, milliseconds since 1970]].
alter table millrace.log_chunk add column at timestamptz;
alter table millrace.log_chunk alter column at set default clock_timestamp();
alter table millrace.log_chunk add column pieces jsonb;

-- Who started a run; null for runs that nobody did, and where nobody is asked.
alter table millrace.dag_run add column triggered_by text;

-- The tries of a step that has had several, or is to have another, oldest first, the 100 latest:
-- [{"attempt", "number", "startedAt", "finishedAt", "exitCode", "error", "logLine"}]. Of a step that needed one, its row
-- tells all.
alter table millrace.dag_run_step add column tries jsonb;
alter table millrace.dag_run_step add constraint dag_run_step_tries_check
check (jsonb_array_length(tries) between 1 and 100) not valid;
alter table millrace.dag_run_step validate constraint dag_run_step_tries_check;

-- The tries of steps in attempts of their run before the present one: a retry removes the rows of steps that run again.
create table millrace.past_try (
  run_key bigint not null references millrace.dag_run (run_key) on delete cascade,
  name text not null,
  tries jsonb not null check (jsonb_array_length(tries) between 1 and 100),
  primary key (run_key, name)
);
