-- What a user has chosen on the page, such as saved views: a JSON object, which nothing in the database reads.
alter table millrace.app_user add column preferences text not null default '{}';
alter table millrace.app_user add constraint app_user_preferences_check
check (octet_length(preferences) <= 16384) not valid;
alter table millrace.app_user validate constraint app_user_preferences_check;
