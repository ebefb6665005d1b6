import type { Migration, SqlFunctions } from './read-migrations.ts'
import { isOfBefore, lastBefore } from './schema-0041.ts'

/** The tables in which the migrator records what it has applied. */
export const ground = `
create schema if not exists millrace;
create table if not exists millrace.migration (
  name text primary key,
  hash text not null,
  applied_at timestamptz not null default now()
);
create table if not exists millrace.applied_function (
  name text primary key,
  hash text not null,
  revision int not null,
  applied_at timestamptz not null default now()
);
`

/** An advisory lock until the end of the transaction. The key is arbitrary but must never change. */
export const lock = 'select pg_advisory_xact_lock(7263001);\n'

const tableWaitMs = 2_000
const waitBriefly = `perform set_config('lock_timeout', '${tableWaitMs}', true);`

/** Applies a numbered file, unless it is already applied; raises an error if it was changed since. */
export function applyNumbered({ name, hash, text }: Migration): string {
  return block(
    `declare
  applied text := (select hash from millrace.migration where name = '${name}');`,
    `if applied is null then
    ${waitBriefly}
    execute ${quote(text)};
    insert into millrace.migration (name, hash) values ('${name}', '${hash}');
  elsif applied <> '${hash}' then
    raise exception 'migration ${name} was changed after it was applied';
  end if;`,
  )
}

/**
 * Replaces the functions whose text differs, unless a newer program has applied its own. Function bodies are not
 * checked, so the order of the functions does not matter.
 */
export function applyFunctions({ revision, files }: SqlFunctions): string {
  const each = files.map(
    ({ name, hash, text }) => `if not exists (
    select from millrace.applied_function where name = '${name}' and hash = '${hash}'
  ) then
    execute ${quote(text)};
    insert into millrace.applied_function (name, hash, revision) values ('${name}', '${hash}', ${revision})
    on conflict (name) do update set hash = excluded.hash, applied_at = now();
  end if;`,
  )
  const names = files.map(({ name }) => `'${name}'`)
  return block(
    '',
    `if exists (select from millrace.applied_function where revision > ${revision}) then
    return;
  end if;
  ${waitBriefly}
  perform set_config('check_function_bodies', 'off', true);
  ${each.join('\n  ')}
  delete from millrace.applied_function where name not in (${names.join(', ')});
  update millrace.applied_function set revision = ${revision} where revision <> ${revision};`,
  )
}

/** Upgrades a database with the earlier numbered files, and records the current files that create the same tables. */
export function replaceThoseOfBefore(upgrade: string, numbered: readonly Migration[]): string {
  const own = numbered.filter(({ name }) => isOfBefore(name))
  return block(
    '',
    `if exists (select from millrace.migration where name = '${lastBefore}') then
    ${waitBriefly}
    execute ${quote(upgrade)};
    delete from millrace.migration;
    insert into millrace.migration (name, hash) values
      ${own.map(({ name, hash }) => `('${name}', '${hash}')`).join(', ')};
  end if;`,
  )
}

function block(declarations: string, body: string): string {
  return `do $migrate$
${declarations}
begin
  ${body}
end
$migrate$;`
}

function quote(text: string): string {
  if (text.includes('$migration$'))
    throw new Error('a migration contains $migration$, with which the migrator quotes it')
  return `$migration$${text}$migration$`
}
