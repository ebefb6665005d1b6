-- Appends a finished try to the tries of a step, unless it is already there. Keeps the latest 100.
create or replace function millrace.add_try(p_tries jsonb, p_try jsonb) returns jsonb
language sql
immutable
set search_path = pg_catalog
as $$
  select case
    when p_tries is null then jsonb_build_array(p_try)
    when (p_tries -> -1 ->> 'number')::int >= (p_try ->> 'number')::int then p_tries
    when jsonb_array_length(p_tries) >= 100 then (p_tries - 0) || p_try
    else p_tries || p_try
  end
$$;
