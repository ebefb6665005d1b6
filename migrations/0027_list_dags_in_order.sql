-- A page of the list of DAGs is read in its order; without it each page sorts all of them.
create index dag_listed_idx on millrace.dag (lower(dag_name), file_name);
