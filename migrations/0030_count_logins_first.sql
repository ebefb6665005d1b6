-- Logins are counted before they are looked at, failed ones are audited, and a key has an owner. count_login_failure
-- stays for instances of the version before.

-- When the password was last right for this subject (a user from one address).
alter table millrace.login_failure add column succeeded_at timestamptz;

-- Counts an attempt to log in before it is looked at. p_pair, p_address and p_user name the subjects that are counted: the
-- user from this address, the address, and the user. Only the pair can be refused. Its limit drops to p_crowded_max while
-- the address or the user has many failures. Rows are locked in the order pair, address, user, here and in end_login, so
-- that two calls cannot wait for each other.
-- Returns milliseconds until the next attempt is counted; 0: this one is, and may be looked at.
create function millrace.begin_login(p_pair text, p_address text, p_user text, p_limits jsonb) returns float8
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_window constant interval := make_interval(secs => (p_limits ->> 'windowMs')::float8 / 1000);
  v_most int := (p_limits ->> 'perUserAndAddress')::int;
  v_wait float8;
begin
  if exists (
    select from millrace.login_failure
    where since > clock_timestamp() - v_window and (
      subject = p_address and failures >= (p_limits ->> 'perAddress')::int
      or subject = p_user and failures >= (p_limits ->> 'perUser')::int)
  ) then
    v_most := (p_limits ->> 'whenCrowded')::int;
  end if;
  insert into millrace.login_failure as f (subject, failures, since) values (p_pair, 1, clock_timestamp())
  on conflict (subject) do update set
    failures = case when f.since > clock_timestamp() - v_window then f.failures + 1 else 1 end,
    since = case when f.since > clock_timestamp() - v_window then f.since else clock_timestamp() end
  where f.failures < v_most or f.since <= clock_timestamp() - v_window;
  if not found then
    select extract(epoch from f.since + v_window - clock_timestamp()) * 1000 into v_wait
    from millrace.login_failure f where f.subject = p_pair;
    return greatest(1, coalesce(v_wait, 1));
  end if;
  perform millrace.count_login(p_address, v_window);
  perform millrace.count_login(p_user, v_window);
  return 0;
end;
$$;

-- Counts one more attempt of a subject, beginning anew when the window is over.
create function millrace.count_login(p_subject text, p_window interval) returns void
language sql
set search_path = pg_catalog
as $$
  insert into millrace.login_failure as f (subject, failures, since) values (p_subject, 1, clock_timestamp())
  on conflict (subject) do update set
    failures = case when f.since > clock_timestamp() - p_window then f.failures + 1 else 1 end,
    since = case when f.since > clock_timestamp() - p_window then f.since else clock_timestamp() end
$$;

-- The password was right: takes the attempt back, and notes that the user has logged in from this address.
create function millrace.end_login(p_pair text, p_address text, p_user text) returns void
language plpgsql
set search_path = pg_catalog
as $$
begin
  update millrace.login_failure set failures = greatest(failures - 1, 0), succeeded_at = clock_timestamp()
  where subject = p_pair;
  update millrace.login_failure set failures = greatest(failures - 1, 0) where subject = p_address;
  update millrace.login_failure set failures = greatest(failures - 1, 0) where subject = p_user;
end;
$$;

-- The address that a call came from; how often an entry stands for the same thing; and for failed logins, which are
-- counted in one entry per caller and time window, what tells two such entries apart.
alter table millrace.audit_entry
  add column address text not null default '',
  add column count int not null default 1,
  add column subject text;
create unique index audit_entry_subject_idx on millrace.audit_entry (subject) where subject is not null;

-- The user whose rights a key has at most; null: made with a credential of the settings, or straight on the database.
alter table millrace.api_key add column owner text;
update millrace.api_key k set owner = u.name
from millrace.app_user u
where u.name = k.created_by and u.created_at <= k.created_at;
