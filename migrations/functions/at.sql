-- Converts milliseconds since 1970 to a time. Functions take and return times as milliseconds; ms is the inverse.
create or replace function millrace.at(ms double precision) returns timestamptz
language sql immutable
return to_timestamp(ms / 1000.0);
