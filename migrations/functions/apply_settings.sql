-- Applies the settings that all parts share, and the limits of the custom queues.
-- p_settings: {name: value}; settings that it does not name keep their value. p_queues: [{"name", "maxConcurrency"}], or
-- null to leave the queues unchanged.
-- Returns the changes: [{"name", "before", "after", "by"}]; by: the process that applied the old value, null for a new
-- setting.
-- Locks: settings by name, then queues by name.
create or replace function millrace.apply_settings(p_settings jsonb, p_queues jsonb, p_by text) returns jsonb
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
