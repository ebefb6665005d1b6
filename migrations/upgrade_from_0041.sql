-- Before 0042 there were other numbered files, the last of them 0041_sign_in.sql, and functions were in them. The migrator
-- runs this file instead of 0001 to 0006 on a database that has all of those. It makes the same tables, and drops what
-- migrations/functions makes under another name. Processes of the version before must be stopped: columns are renamed.

alter table millrace.definition rename column is_loose to gc_candidate;
alter index millrace.definition_loose_idx rename to definition_gc_idx;
alter table millrace.surplus_history rename to history_trim;
alter table millrace.history_trim rename constraint surplus_history_pkey to history_trim_pkey;
alter table millrace.history_trim rename constraint surplus_history_keep_check to history_trim_keep_check;
alter table millrace.dag_run rename column document to local_dag;
alter table millrace.dag_run rename column parent_round to parent_iteration;
alter table millrace.dag_run validate constraint dag_run_ending_check;

drop trigger dag_definition on millrace.dag;
drop trigger dag_run_attempt on millrace.dag_run;
drop trigger dag_run_ended on millrace.dag_run;
drop trigger dag_run_inserted_ended on millrace.dag_run;

drop function
  millrace.audit(bigint),
  millrace.count_login_failure(jsonb, int),
  millrace.finish_dead_stops(int),
  millrace.forget_queues(int),
  millrace.go_on_stopping(int),
  millrace.hold_dag_folder(text, text, int),
  millrace.hold_queues(text[]),
  millrace.lock_for(jsonb),
  millrace.note_attempt(),
  millrace.note_dag_files(text, jsonb),
  millrace.note_definition(),
  millrace.note_end(),
  millrace.promote_new(text[]),
  millrace.promote_queue(text),
  millrace.promote_some(text[]),
  millrace.promote_within(text, text[]),
  millrace.remove_definitions(int),
  millrace.remove_surplus_runs(int),
  millrace.stop_below(bigint, timestamptz, int, boolean),
  millrace.tell_to_stop(bigint[], timestamptz);
