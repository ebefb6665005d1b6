import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSpec } from '#lib/definition/read-spec.ts'
import { readEvents } from '#lib/definition/converters/cronicle/read-events.ts'
import { readExport } from '#lib/definition/converters/cronicle/read-export.ts'

const event = {
  id: 'e1',
  title: 'Nightly Report',
  enabled: 1,
  category: 'general',
  target: 'allgrp',
  plugin: 'shellplug',
  params: { script: '#!/bin/bash -e\n\nmake report > "$HOME/report"', annotate: 1 },
  timing: { minutes: [30], hours: [2, 3, 4, 12], weekdays: [1, 2, 3, 4, 5] },
  timezone: 'Europe/Berlin',
  timeout: 3_600,
  retries: 2,
  retry_delay: 30,
  max_children: 1,
  catch_up: 1,
  notify_fail: 'ops@example.org',
  notes: 'Costs 5$',
  chain: 'e2',
}
const request = {
  id: 'e2',
  title: 'Ping',
  enabled: 0,
  plugin: 'urlplug',
  params: {
    method: 'POST',
    url: 'http://127.0.0.1/ping',
    headers: 'X-A: 1\nX-B: $2',
    data: '{}',
    timeout: 9,
    success_match: 'ok',
  },
  timing: {},
}
const asExport = [
  '# Cronicle Data Export v1.0',
  'global/schedule - {"page_size":50,"first_page":0,"last_page":0,"length":2,"type":"list"}',
  `global/schedule/0 - ${JSON.stringify({ type: 'list_page', items: [event, request] })}`,
  'users/admin - {"username":"admin","password":"…"}',
].join('\n')

test.each([
  ['an export', asExport],
  ['an answer of the API', JSON.stringify({ code: 0, rows: [event, request] })],
])('the events of %s become DAGs', (_form, text) => {
  const [report, ping] = readEvents(readExport(text))
  expect([report?.fault, ping?.fault, report?.isDisabled, ping?.isDisabled]).toEqual([
    undefined,
    undefined,
    false,
    true,
  ])
  for (const dag of [report, ping]) expect(readSpec(dag?.spec ?? '', { fileName: 'x' }).problems).toEqual([])
  expect(report?.name).toBe('nightly-report')
  expect(parse(report?.spec ?? '')).toEqual({
    description: 'Costs 5\\$',
    schedule: 'CRON_TZ=Europe/Berlin 30 2-4,12 * * 1-5',
    catchup: 'all',
    maxActiveRuns: 1,
    timeoutSec: 3_600,
    mailOn: { failure: true, success: false },
    errorMail: { to: 'ops@example.org' },
    tags: ['general'],
    steps: [
      {
        name: 'run',
        shell: '/bin/bash -e',
        script: '#!/bin/bash -e\n\nmake report > "$HOME/report"\n',
        retryPolicy: { limit: 2, intervalSec: 30 },
      },
    ],
  })
  expect(report?.notes.join('\n')).toMatch(/smtp.*\nnot used: chain/)
  expect(parse(ping?.spec ?? '')).toEqual({
    schedule: '* * * * *',
    steps: [
      {
        name: 'run',
        executor: {
          type: 'http',
          config: { timeout: 9, headers: { 'X-A': '1', 'X-B': '\\$2' }, body: '{}' },
        },
        command: 'POST http://127.0.0.1/ping',
      },
    ],
  })
  expect(ping?.notes).toEqual(['not used of the request: success_match'])
})

test.each([
  [{ plugin: 'p1' }, 'plugin p1'],
  [{ timing: { years: [2030] } }, 'no years'],
  [{ timing: { days: [1], weekdays: [1] } }, 'on both'],
  [{ timing: { hours: [77] } }, 'hour'],
  [{ plugin: 'urlplug', params: { url: 'file:///etc/passwd' } }, 'no address'],
])('an event with %j is refused: %s', (change, why) => {
  expect(readEvents([{ ...event, ...change }])[0]?.fault).toContain(why)
})

test('an event without a timing has no schedule, and a text that is not an export is refused', () => {
  expect(readEvents([{ ...event, timing: false }])[0]?.schedule).toBe('')
  expect(() => readExport('hello')).toThrow('global/schedule')
  expect(() => readExport('[1')).toThrow('not JSON')
  expect(readExport('[1, null, {"id": 3}]')).toEqual([])
})
