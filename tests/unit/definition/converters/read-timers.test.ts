import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSpec } from '#lib/definition/read-spec.ts'
import { readOnCalendar } from '#lib/definition/converters/systemd/on-calendar.ts'
import { spanSeconds } from '#lib/definition/converters/systemd/read-unit.ts'
import { readTimers } from '#lib/definition/converters/systemd/read-timers.ts'

// Each was compared with the next times that `systemd-analyze calendar` prints.
test.each([
  ['minutely', '* * * * *'],
  ['weekly', '0 0 * * 1'],
  ['quarterly', '0 0 1 1,4,7,10 *'],
  ['*-*-* 04:05:00', '5 4 * * *'],
  ['04:05', '5 4 * * *'],
  ['Mon..Fri *-*-* 08:30', '30 8 * * 1,2,3,4,5'],
  ['Sat,Sun 10:00', '0 10 * * 0,6'],
  ['Sat..Sun 10:00', '0 10 * * 0,6'],
  ['*-*-1,15 06:00:00', '0 6 1,15 * *'],
  ['*-01..03-01 00:00', '0 0 1 1-3 *'],
  ['*:0/15', '0/15 * * * *'],
  ['*:00/10:00', '0/10 * * * *'],
  ['09..17:00', '0 9-17 * * *'],
  ['daily UTC', 'CRON_TZ=UTC 0 0 * * *'],
  ['Mon 07:00 Europe/Berlin', 'CRON_TZ=Europe/Berlin 0 7 * * 1'],
  ['10-31', '0 0 31 10 *'],
])('OnCalendar=%s is %s', (text, schedule) => {
  expect(readOnCalendar(text)).toMatchObject({ schedule })
})

test.each([
  ['2026-11-22 04:00', 'no years'],
  ['*-*~1 04:00', 'end of a month'],
  ['Mon *-*-1..7 04:00', 'on both'],
  ['*:*:0/10', 'no seconds'],
  ['sometimes', 'weekdays'],
  ['25:00', 'hour'],
])('OnCalendar=%s has no cron equivalent: %s', (text, why) => {
  expect(readOnCalendar(text)).toEqual({ fault: expect.stringContaining(why) })
})

test('a span of time is read in seconds', () => {
  expect(['90', '1h 30min', '1.5m', '2d'].map(spanSeconds)).toEqual([90, 5_400, 90, 172_800])
  expect(['infinity', '', '1x', `${'1'.repeat(99)}!`].map(spanSeconds)).toEqual(Array(4).fill(undefined))
})

const timer = (lines: string): string =>
  `[Unit]\nDescription=When\n[Timer]\n${lines}\n[Install]\nWantedBy=timers.target\n`

/** The one DAG of a timer and its service; it has no faults. */
function dagOf(when: string, service: string) {
  const [dag, ...others] = readTimers(
    new Map([
      ['backup.timer', timer(when)],
      ['backup.service', service],
    ]),
  )
  expect([others, dag?.fault]).toEqual([[], undefined])
  expect(readSpec(dag?.spec ?? '', { fileName: 'backup' }).problems).toEqual([])
  return { notes: dag?.notes ?? [], dag: parse(dag?.spec ?? '') as Record<string, unknown> }
}

describe('a timer and its service', () => {
  test('become a DAG with steps, environment, folder, limits and retries', () => {
    const service = `[Unit]
Description=Nightly backup of $HOME
# a comment
[Service]
Type=oneshot
User=backup
Environment=LEVEL=9 "TARGET=s3://bucket/a b"
EnvironmentFile=-/etc/default/backup
WorkingDirectory=/srv/backup
ExecStartPre=-/usr/bin/mkdir -p /srv/backup/out
ExecStart=/usr/local/bin/backup --level \${LEVEL} \\
  --name 'two words' $EXTRA 100%%
ExecStartPost=/bin/sh -c 'echo "done; $$HOME"'
TimeoutStartSec=1h 30min
Restart=on-failure
RestartSec=30
ProtectSystem=strict
`
    const { dag, notes } = dagOf('OnCalendar=*-*-* 02:30:00\nOnCalendar=Sun 12:00\nPersistent=true', service)
    const retryPolicy = { limit: 3, intervalSec: 30 }
    expect(dag).toEqual({
      description: 'Nightly backup of \\$HOME',
      schedule: ['30 2 * * *', '0 12 * * 0'],
      catchup: 'last',
      env: [{ LEVEL: '9' }, { TARGET: 's3://bucket/a b' }],
      dotenv: ['/etc/default/backup'],
      workingDir: '/srv/backup',
      timeoutSec: 5_400,
      steps: [
        {
          name: 'before',
          shell: '/bin/sh',
          script: '/usr/bin/mkdir -p /srv/backup/out\n',
          continueOn: { failure: true },
          retryPolicy,
        },
        {
          name: 'run',
          shell: '/bin/sh',
          script: `/usr/local/bin/backup --level "\${LEVEL}" --name 'two words' $EXTRA 100%\n`,
          retryPolicy,
        },
        { name: 'after', shell: '/bin/sh', script: `/bin/sh -c 'echo "done; ''$''HOME"'\n`, retryPolicy },
      ],
    })
    expect(notes.join('\n')).toMatch(/runs this as backup/)
    expect(notes.join('\n')).toMatch(/3 retries/)
    expect(notes.join('\n')).toMatch(/not used: ProtectSystem/)
  })

  test('characters with a meaning to a shell are quoted', () => {
    const { dag } = dagOf('OnCalendar=daily', '[Service]\nExecStart=/bin/echo * ; $(id) `id` "a\'b" ""\n')
    expect(dag['steps']).toMatchObject([{ script: `/bin/echo '*' ';' '$(id)' '\`id\`' 'a'\\''b' ''\n` }])
  })

  test('an interval counts from the hour; the service may have another name, or be a template', () => {
    const units = new Map([
      ['sync.timer', timer('OnBootSec=5min\nOnUnitActiveSec=15min\nUnit=pull@eu.service')],
      ['pull@.service', '[Service]\nExecStart=/bin/pull %i %h\n'],
    ])
    const [dag] = readTimers(units)
    expect(dag).toMatchObject({ name: 'sync', schedule: '*/15 * * * *' })
    expect(dag?.spec).toContain('/bin/pull eu')
    expect(dag?.notes.join('\n')).toMatch(/not from the last start.*\n.*%h.*\n.*OnBootSec/s)
  })

  test('a timer that cannot be converted says why', () => {
    const faultOf = (units: Record<string, string>) => readTimers(new Map(Object.entries(units)))[0]?.fault
    expect(faultOf({ 'a.timer': timer('OnCalendar=daily') })).toContain('a.service, which is missing')
    expect(faultOf({ 'a.timer': timer('OnBootSec=1min'), 'a.service': '[Service]\nExecStart=/x' })).toContain(
      'OnCalendar',
    )
    expect(faultOf({ 'a.timer': timer('OnCalendar=daily'), 'a.service': '[Service]\n' })).toContain(
      'no ExecStart',
    )
  })
})
