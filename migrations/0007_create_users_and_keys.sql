-- Who may use the API, and who changed what. The roles are those of lib/core/roles.ts.

create domain millrace.role as text check (value in ('viewer', 'operator', 'editor', 'admin'));

create table millrace.app_user (
  name text primary key,
  role millrace.role not null,
  -- scrypt$N$r$p$salt$digest; see lib/users/password.ts
  password_hash text not null,
  is_disabled boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table millrace.api_key (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  role millrace.role not null,
  -- SHA-256 of 256 random bits: nothing slower is needed, nobody can guess them.
  digest bytea not null unique,
  -- The first characters of the key, so that its owner can tell which it is.
  prefix text not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- Failed logins of one subject (a user at an address, an address, a user) since `since`.
create table millrace.login_failure (
  subject text primary key,
  failures int not null,
  since timestamptz not null
);

create table millrace.audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  role text not null,
  -- The operationId of the endpoint.
  action text not null,
  -- The path of the call: it names the object, and holds nothing secret.
  target text not null,
  request_id text not null,
  status int not null
);
create index audit_entry_at_idx on millrace.audit_entry (at);

-- Counts one more failure of every subject, beginning anew when the window is over. Subjects are taken in order, so that
-- two calls cannot wait for each other.
create function millrace.count_login_failure(p_subjects jsonb, p_window_ms int) returns void
language sql as $$
  insert into millrace.login_failure as f (subject, failures, since)
  select s, 1, clock_timestamp() from jsonb_array_elements_text(p_subjects) as s order by s
  on conflict (subject) do update set
    failures = case when f.since < clock_timestamp() - p_window_ms * interval '1 ms' then 1 else f.failures + 1 end,
    since = case when f.since < clock_timestamp() - p_window_ms * interval '1 ms' then clock_timestamp() else f.since end
$$;
