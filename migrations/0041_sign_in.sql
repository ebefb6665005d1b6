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
