-- Counts a login attempt before the password is checked. p_pair, p_address and p_user name the three counters: the user at
-- this address, the address, and the user. Only the pair can be refused; its limit drops to "whenCrowded" while the address
-- or the user has many failures.
-- Returns the milliseconds until the next attempt is allowed; 0: this attempt was counted and its password may be checked.
-- Locks: pair, address, user, in this order, as in end_login.
create or replace function millrace.begin_login(p_pair text, p_address text, p_user text, p_limits jsonb) returns float8
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
