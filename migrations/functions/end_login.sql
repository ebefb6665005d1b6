-- Called after a successful login: uncounts the attempt, and records that this user has logged in from this address.
-- Locks: pair, address, user, in this order, as in begin_login.
create or replace function millrace.end_login(p_pair text, p_address text, p_user text) returns void
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
