-- Adds one attempt to a counter. The counter restarts when its window has passed.
create or replace function millrace.count_login(p_subject text, p_window interval) returns void
language sql
set search_path = pg_catalog
as $$
  insert into millrace.login_failure as f (subject, failures, since) values (p_subject, 1, clock_timestamp())
  on conflict (subject) do update set
    failures = case when f.since > clock_timestamp() - p_window then f.failures + 1 else 1 end,
    since = case when f.since > clock_timestamp() - p_window then f.since else clock_timestamp() end
$$;
