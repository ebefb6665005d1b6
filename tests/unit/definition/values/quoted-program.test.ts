import { expect, it } from 'vitest'
import { insideSingleQuotes } from '#lib/definition/values/quoted-program.ts'

it.each([
  ['sh -c ', 'shell'],
  ['x && /bin/bash -e -lc ', 'shell'],
  ['xargs -I{} sh -c ', 'shell'],
  ['su - user -c ', 'shell'],
  ['eval ', 'shell'],
  ['python3 -c ', 'other'],
  ['python3.12 -I -c ', 'other'],
  ['node --eval ', 'other'],
  ['perl -ne ', 'other'],
  ['php -r ', 'other'],
  ['ls | awk -F: ', 'other'],
  ['jq ', 'other'],
  ['jq -r ', 'other'],
  ['sed -e ', 'other'],
  ['sqlite3 file.db ', 'other'],
  ['psql -h host db -c ', 'other'],
  ['mysql --execute ', 'other'],
  ['echo ', 'none'],
  ['echo -e ', 'none'],
  ['grep -e ', 'none'],
  ['ssh -c ', 'none'],
  ['python3 tool.py ', 'none'],
  ['python3 tool.py -c ', 'none'],
  ['jq --arg x ', 'none'],
  ['awk -v x=', 'none'],
  ['psql -c x; echo ', 'none'],
  ['sh -c', 'none'],
  ['evaluate ', 'none'],
  ['', 'none'],
])('the kind of program in single quotes after %j is: %s', (before, program) => {
  expect(insideSingleQuotes(before)).toBe(program)
})
