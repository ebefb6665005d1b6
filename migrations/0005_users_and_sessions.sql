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
  -- SHA-256 of 256 random bits: nothing slower is needed, because nobody can guess them.
  digest bytea not null unique,
  -- The first characters of the key, so that its owner can tell which it is.
  prefix text not null,
  created_by text not null,
  -- The user whose rights bound those of the key; null: made with a credential of the settings, or in the database.
  owner text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- Sessions of the web page. A session rests on a user, an API key or a credential of the settings, and has no rights of its
-- own: those are read at every call.

create table millrace.session (
  id uuid primary key default gen_random_uuid(),
  -- SHA-256 of the 256 random bits of the token, which only the browser has.
  digest bytea not null unique check (octet_length(digest) = 32),
  user_name text references millrace.app_user (name) on delete cascade,
  key_id uuid references millrace.api_key (id) on delete cascade,
  setting text check (setting in ('basic', 'token')),
  -- HMAC-SHA-256, by the token, of the credential: of the password hash of a user, or of the credential of the settings. It
  -- no longer fits when that has changed, and tells nothing to whoever reads this table.
  seal bytea not null check (octet_length(seal) = 32),
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint session_basis_check check (num_nonnulls(user_name, key_id, setting) = 1),
  constraint session_length_check check (expires_at <= created_at + interval '30 days')
);

create index session_user_idx on millrace.session (user_name) where user_name is not null;
create index session_key_idx on millrace.session (key_id) where key_id is not null;
create index session_setting_idx on millrace.session (setting) where setting is not null;
create index session_expiry_idx on millrace.session (expires_at);

-- Failed logins of one subject (a user at an address, an address, a user) since `since`.
create table millrace.login_failure (
  subject text primary key,
  failures int not null,
  since timestamptz not null,
  -- When the password was last right, for a user at an address.
  succeeded_at timestamptz
);

-- Calls that changed something, and failed logins.
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
  status int not null,
  address text not null default '',
  -- How often the entry happened. Failed logins share an entry for each caller and time window, which subject names.
  count int not null default 1,
  subject text
);
create index audit_entry_at_idx on millrace.audit_entry (at);
create unique index audit_entry_subject_idx on millrace.audit_entry (subject) where subject is not null;
