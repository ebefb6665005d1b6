-- The names of the steps of a DAG, one a line, so that a search finds steps without reading texts. Null: not noted yet; the
-- next start of a process notes them.
alter table millrace.dag add column step_names text;
