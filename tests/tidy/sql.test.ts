import { expect, test } from 'vitest'
import { functionsRevision } from '../../infra/functions-revision.ts'
import { readFunctions, readMigrations } from '#lib/db/read-migrations.ts'
import { sqlMutations } from '../chaos/sql-mutations.ts'
import { projectFile } from './tree.ts'

const made =
  /^create (?:or replace )?(function|trigger|view|table|index|unique index|domain) (?:millrace\.)?(\w+)/gm

test('a function file creates one function of its name, begins with a comment, and may be applied again', () => {
  const { files } = readFunctions()
  expect(files.length).toBeGreaterThan(40)
  for (const { name, text } of files) {
    const statements = [...text.matchAll(made)]
    const functions = statements.flatMap(([, kind, of]) => (kind === 'function' ? [of] : []))
    expect({ name, functions }).toEqual({ name, functions: [/(\w+)\.sql$/.exec(name)?.[1]] })
    const others = statements.filter(
      ([start, kind]) => !/or replace/.test(start) || !/function|trigger/.test(kind ?? ''),
    )
    expect({ name, others }).toEqual({ name, others: [] })
    expect(`${name}: ${text.slice(0, 3)}`).toBe(`${name}: -- `)
  }
})

test('numbered files hold no functions and no triggers', () => {
  for (const { name, text } of readMigrations())
    expect([name, text.match(/^create (or replace )?(function|trigger)\b/m)]).toEqual([name, null])
})

test('the revision of the functions grew with their last change (npm run documents)', () => {
  expect(functionsRevision()).toEqual(JSON.parse(projectFile('migrations/functions/revision.json')))
})

test('every SQL fault of `npm run chaos` applies to its function', () => {
  const texts = new Map(readFunctions().files.map(({ name, text }) => [name, text]))
  const lost = sqlMutations.filter(
    ({ call, from }) => texts.get(`functions/${call}.sql`)?.includes(from) !== true,
  )
  expect(lost).toEqual([])
})
