import { expect, test } from 'vitest'
import { linksBelow } from '#web/model/links.ts'

test('links lie below the base', () => {
  const links = linksBelow('/tools/millrace/')
  expect(links.run('nightly', '7f3a')).toBe('/tools/millrace/runs/nightly/7f3a')
  expect(links.dag('nightly')).toBe('/tools/millrace/dags/nightly')
  expect(links.dag('nightly', 'runs')).toBe('/tools/millrace/dags/nightly/runs')
})

test('names with special characters stay one segment of the path', () => {
  const links = linksBelow('/')
  expect(links.log({ name: 'a b', runId: 'x' }, { step: 'make & send?', stream: 'stderr' })).toBe(
    '/runs/a%20b/x/log?step=make+%26+send%3F&stream=stderr',
  )
})

test('the raw log links to the API', () => {
  expect(linksBelow('/m/').rawLog({ name: 'a b', runId: 'x' }, { step: 's/1', stream: 'stderr' })).toBe(
    '/m/api/v2/dag-runs/a%20b/x/steps/s%2F1/log/raw?stream=stderr',
  )
})

test('a child run and its logs have addresses below the root run', () => {
  const links = linksBelow('/')
  const child = { name: 'top', runId: 'r', childId: 'k/1' }
  expect(links.runAt(child, { view: undefined, step: 'a' })).toBe('/runs/top/r/child/k%2F1?step=a')
  expect(links.log(child, { step: 'a', attempt: 2, line: 7 })).toBe(
    '/runs/top/r/child/k%2F1/log?step=a&attempt=2#L7',
  )
  expect(links.rawLog(child, { step: 'a', stream: 'stdout' })).toBe(
    '/api/v2/dag-runs/top/r/children/k%2F1/steps/a/log/raw?stream=stdout',
  )
  expect(links.log(child, {})).toBe('/runs/top/r/child/k%2F1/log?step=')
})
