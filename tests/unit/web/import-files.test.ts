import { expect, test } from 'vitest'
import { candidatesOf } from '#web/model/import-files.ts'

test('a DAG has the name of its file, and other files are ignored', () => {
  expect(
    candidatesOf([
      { path: 'jobs/one.yaml', spec: 'a' },
      { path: 'jobs/notes.txt', spec: 'b' },
      { path: 'two.YML', fault: 'too large' },
    ]),
  ).toEqual([
    { name: 'one', spec: 'a' },
    { name: 'two', fault: 'too large' },
  ])
})

test('two files of one name are both refused', () => {
  const found = candidatesOf([
    { path: 'a/x.yaml', spec: 'a' },
    { path: 'b/x.yml', spec: 'b' },
  ])
  expect(found.map(({ fault }) => fault)).toEqual([
    'a/x.yaml and b/x.yml have the same name',
    'b/x.yml and a/x.yaml have the same name',
  ])
})
