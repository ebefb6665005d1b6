import { expect, test } from 'vitest'
import { linksBelow } from '#web/model/links.ts'

test('links lie below the base', () => {
  const links = linksBelow('/tools/millrace/')
  expect(links.run('nightly', '7f3a')).toBe('/tools/millrace/runs/nightly/7f3a')
  expect(links.dag('nightly')).toBe('/tools/millrace/dags/nightly')
  expect(links.dag('nightly', 'runs')).toBe('/tools/millrace/dags/nightly/runs')
})

test('names with odd characters stay one part of the path', () => {
  const links = linksBelow('/')
  expect(links.log({ name: 'a b', runId: 'x' }, { step: 'make & send?', stream: 'stderr' })).toBe(
    '/runs/a%20b/x/log?step=make+%26+send%3F&stream=stderr',
  )
})

test('the file of a log is asked of the API', () => {
  expect(linksBelow('/m/').rawLog({ name: 'a b', runId: 'x' }, { step: 's/1', stream: 'stderr' })).toBe(
    '/m/api/v2/dag-runs/a%20b/x/steps/s%2F1/log/raw?stream=stderr',
  )
})

test('a run below another has an address below it, and so have its logs', () => {
  const links = linksBelow('/')
  const place = { name: 'top', runId: 'r', childId: 'k/1' }
  expect(links.runAt(place, { view: undefined, step: 'a' })).toBe('/runs/top/r/child/k%2F1?step=a')
  expect(links.log(place, { step: 'a', attempt: 2, line: 7 })).toBe(
    '/runs/top/r/child/k%2F1/log?step=a&attempt=2#L7',
  )
  expect(links.rawLog(place, { step: 'a', stream: 'stdout' })).toBe(
    '/api/v2/dag-runs/top/r/children/k%2F1/steps/a/log/raw?stream=stdout',
  )
  expect(links.log(place, {})).toBe('/runs/top/r/child/k%2F1/log?step=')
})
