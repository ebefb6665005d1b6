-- Who ticks: one row a process, renewed with every tick, gone after five silent minutes. Only shown, nothing relies on it.
create table millrace.ticker (
  id text primary key,
  host text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);
