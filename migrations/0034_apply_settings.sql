-- Settings that all parts share are in the database: what the last process applied counts for every part.

create table millrace.setting (
  name text primary key,
  -- Null: the default.
  value text,
  applied_at timestamptz not null default clock_timestamp(),
  -- Part, host and pid of the process.
  applied_by text not null
);

-- The zone in which next_at of an entry that names none was computed. Null: by a version that did not note it, or the
-- entry names its own.
alter table millrace.schedule add column default_zone text;

-- Makes these settings the ones that count, and sets the limits of the custom queues. The rows of settings are locked in
-- the order of their names, before queues.
-- p_settings: {name: value}; the others stay. p_queues: [{"name", "maxConcurrency"}], or null: they stay.
-- Returns what was different: [{"name", "before", "after", "by"}]; by: who had applied it, null for a setting that is new.
create function millrace.apply_settings(p_settings jsonb, p_queues jsonb, p_by text) returns jsonb
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_name text;
  v_value text;
  v_old millrace.setting;
  v_changes jsonb := '[]';
begin
  for v_name, v_value in select s.key, s.value from jsonb_each_text(p_settings) s order by s.key
  loop
    insert into millrace.setting (name, value, applied_by) values (v_name, v_value, p_by)
    on conflict (name) do nothing;
    if found then
      v_changes := v_changes || jsonb_build_object('name', v_name, 'before', null, 'after', v_value, 'by', null);
      continue;
    end if;
    select s.* into v_old from millrace.setting s where s.name = v_name for no key update;
    if v_old.value is distinct from v_value then
      update millrace.setting s set value = v_value, applied_at = clock_timestamp(), applied_by = p_by
      where s.name = v_name;
      v_changes := v_changes || jsonb_build_object(
        'name', v_name, 'before', v_old.value, 'after', v_value, 'by', v_old.applied_by
      );
    end if;
  end loop;
  if p_queues is not null then
    perform millrace.configure_queues(p_queues);
  end if;
  return v_changes;
end
$$;
