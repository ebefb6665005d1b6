-- Converts a time to whole milliseconds since 1970; at is the inverse.
create or replace function millrace.ms(at timestamptz) returns bigint
language sql immutable
return floor(extract(epoch from at) * 1000)::bigint;
