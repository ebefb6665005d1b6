-- A piece of a log stream, for logs that are kept in the database or in a bucket.
create table millrace.log_chunk (
  run_key bigint not null references millrace.dag_run (run_key) on delete cascade,
  attempt int not null,
  step text not null,
  stream text not null,
  -- Numbered by the writer, so that an append may be repeated.
  sequence int not null,
  first_line bigint not null,
  line_count int not null,
  byte_offset bigint not null,
  byte_count int not null,
  body bytea not null,
  -- The name of the object in the bucket that has the bytes. body is then their last byte, which tells whether the last
  -- line is open.
  object text,
  primary key (run_key, attempt, step, stream, sequence)
);
-- Uncompressed, so that a part of a piece is read without the rest of it.
alter table millrace.log_chunk alter column body set storage external;
