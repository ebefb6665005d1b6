-- What a call changed: [{"field", "before", "after"}], texts or null. Null where a call does not tell. Nothing secret is
-- kept: of a password only that it is another one.
alter table millrace.audit_entry add column changes jsonb;
alter table millrace.audit_entry add constraint audit_entry_changes_check
check (jsonb_typeof(changes) = 'array') not valid;
alter table millrace.audit_entry validate constraint audit_entry_changes_check;

-- Processes that serve until they are told to end, renewed twice a minute, removed when they end or after five silent
-- minutes. Only shown: nothing relies on it.
create table millrace.process (
  id text primary key,
  part text not null,
  host text not null,
  pid int not null,
  version text not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  constraint process_seen_check check (seen_at >= started_at)
);
