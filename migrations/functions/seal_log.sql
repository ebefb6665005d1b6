-- Replaces the log chunks p_from to p_to with one whose bytes are in an object of the bucket. Does nothing unless these
-- chunks still have exactly the bytes of the object, because another process may have been faster. Returns whether it
-- replaced them.
-- Locks: chunks by sequence.
create or replace function millrace.seal_log(
  p_run_key bigint, p_attempt int, p_step text, p_stream text, p_from int, p_to int, p_bytes bigint, p_object text
) returns boolean
language plpgsql
set search_path = pg_catalog
as $$
declare
  v record;
  v_pieces jsonb;
begin
  perform from millrace.log_chunk
  where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream
    and sequence between p_from and p_to
  order by sequence
  for update;
  select min(first_line) as first_line, sum(line_count) as line_count, min(byte_offset) as byte_offset,
    sum(byte_count) as byte_count, max(sequence) as sequence, count(object) as sealed into v
  from millrace.log_chunk
  where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream
    and sequence between p_from and p_to;
  -- One index entry per second: its first chunk.
  select jsonb_agg(jsonb_build_array(s.byte_offset, s.first_line - 1, s.at) order by s.byte_offset) into v_pieces
  from (
    select distinct on (date_trunc('second', at)) byte_offset, first_line, floor(date_part('epoch', at) * 1000) as at
    from millrace.log_chunk
    where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream
      and sequence between p_from and p_to
    order by date_trunc('second', at), sequence
  ) as s;
  if v.sequence is distinct from p_to or v.byte_count <> p_bytes or v.sealed > 0 then
    return false;
  end if;
  delete from millrace.log_chunk
  where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream
    and sequence >= p_from and sequence < p_to;
  update millrace.log_chunk
  set first_line = v.first_line, line_count = v.line_count, byte_offset = v.byte_offset, byte_count = v.byte_count,
    body = substr(body, length(body)), object = p_object, pieces = v_pieces
  where run_key = p_run_key and attempt = p_attempt and step = p_step and stream = p_stream and sequence = p_to;
  return true;
end
$$;
