-- Stores a version for each change to the text or name of a DAG, and for its deletion. The statement describes the change
-- with set_config('millrace.change', {"by", "source", "message", "restored"}, is_local) in its returning clause, which runs
-- before this trigger. A rename moves the history and replaces that of a deleted DAG with the new name.
-- Versions beyond the configured number are marked as surplus, and their definitions as gc_candidate.
-- Locks: versions of the DAG, then definitions by hash.
create or replace function millrace.keep_version() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
declare
  v_change jsonb := coalesce(nullif(current_setting('millrace.change', true), ''), '{}');
  v_kept int := coalesce(
    (select s.value::int from millrace.setting s where s.name = 'MILLRACE_DAG_VERSIONS'), 100
  );
  v_dag millrace.dag := new;
  v_surplus text[];
begin
  if tg_op = 'UPDATE' and new.version = old.version then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    -- Covers a save during an upgrade, after the table existed and before this trigger did.
    insert into millrace.dag_version (file_name, version, named, definition_hash, change, saved_at)
    values (old.file_name, old.version, old.file_name, old.definition_hash, 'saved', old.updated_at)
    on conflict do nothing;
  end if;
  if tg_op = 'DELETE' then
    v_dag := old;
    v_dag.version := old.version + 1;
  elsif tg_op = 'UPDATE' and new.file_name <> old.file_name then
    with gone as (
      delete from millrace.dag_version v where v.file_name = new.file_name returning v.definition_hash
    )
    select array_agg(gone.definition_hash) into v_surplus from gone;
    update millrace.dag_version v set file_name = new.file_name where v.file_name = old.file_name;
  end if;
  begin
    insert into millrace.dag_version (
      file_name, version, named, definition_hash, change, restored, saved_by, source, message
    )
    values (
      v_dag.file_name, v_dag.version, v_dag.file_name, v_dag.definition_hash,
      case
        when tg_op = 'DELETE' then 'deleted'
        when v_change ? 'restored' then 'restored'
        when tg_op = 'INSERT' then 'created'
        when new.file_name <> old.file_name then 'renamed'
        else 'saved'
      end,
      (v_change ->> 'restored')::int, v_change ->> 'by', coalesce(v_change ->> 'source', 'service'),
      v_change ->> 'message'
    );
  exception when unique_violation then
    -- The DAG was created while it was being deleted. On a retry, the statement continues from the new number.
    raise exception 'version % of "%" was made meanwhile', v_dag.version, v_dag.file_name
    using errcode = 'serialization_failure';
  end;
  with surplus as (
    update millrace.dag_version v set is_surplus = true
    where v.file_name = v_dag.file_name and v.version <= v_dag.version - v_kept and not v.is_surplus
    returning v.definition_hash
  )
  select coalesce(v_surplus, '{}') || coalesce(array_agg(surplus.definition_hash), '{}') into v_surplus from surplus;
  perform millrace.mark_gc_candidates(v_surplus);
  return null;
end
$$;

create or replace trigger dag_keep_version
after insert or update or delete on millrace.dag
for each row execute function millrace.keep_version();
