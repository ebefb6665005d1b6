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
  expect(links.log('a b', 'x', { step: 'make & send?', stream: 'stderr' })).toBe(
    '/runs/a%20b/x/log?step=make+%26+send%3F&stream=stderr',
  )
})

test('the file of a log is asked of the API', () => {
  expect(linksBelow('/m/').rawLog('a b', 'x', { step: 's/1', stream: 'stderr' })).toBe(
    '/m/api/v2/dag-runs/a%20b/x/steps/s%2F1/log/raw?stream=stderr',
  )
})
