import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSpec } from '#lib/definition/read-spec.ts'
import { crontabLines } from '#lib/definition/crontab/crontab-lines.ts'
import { readCrontab as readLines } from '#lib/definition/crontab/read-crontab.ts'

interface Spec {
  readonly schedule: string
  readonly env?: Record<string, string>[]
  readonly steps: [{ readonly workingDir: string; readonly shell: string; readonly script: string }]
}

const readCrontab = (text: string, how = {}) => readLines(crontabLines(Buffer.from(text)), how)

/** The one entry of a crontab; its DAG has no faults. */
function only(text: string): Spec {
  const [entry, ...others] = readCrontab(text)
  expect(others).toEqual([])
  expect(entry?.fault).toBeUndefined()
  const spec = entry?.spec ?? ''
  expect(readSpec(spec, { fileName: entry?.name ?? '' }).problems).toEqual([])
  return parse(spec) as Spec
}

test('an entry becomes a DAG of one step that runs the command as cron does', () => {
  expect(only('*/5  0-6 * jan,jul MON\t/usr/bin/backup --all > /dev/null 2>&1')).toEqual({
    schedule: '*/5 0-6 * jan,jul MON',
    steps: [
      {
        name: 'run',
        workingDir: '${HOME}',
        shell: '/bin/sh',
        script: '/usr/bin/backup --all > /dev/null 2>&1\n',
      },
    ],
  })
})

test.each([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@Monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
])('%s becomes %s', (word, fields) => {
  expect(only(`${word} ls`).schedule).toBe(fields)
})

test('a setting applies to the entries below it, and those of cron itself are not variables', () => {
  const text = [
    'A=1',
    '0 1 * * * first',
    "B = 'two words'",
    'SHELL=/bin/bash',
    'HOME=/srv',
    'MAILTO=me',
    'CRON_TZ=UTC',
  ]
  const [first, second] = readCrontab([...text, '0 2 * * * second', ''].join('\r\n')).map(
    ({ spec }) => parse(spec ?? '') as Spec,
  )
  expect(first).toMatchObject({ env: [{ A: '1' }], steps: [{ shell: '/bin/sh', workingDir: '${HOME}' }] })
  expect(second).toMatchObject({
    schedule: 'CRON_TZ=UTC 0 2 * * *',
    env: [{ A: '1' }, { B: 'two words' }],
    steps: [{ shell: '/bin/bash', workingDir: '/srv' }],
  })
})

test('the text after an unescaped percent sign is standard input', () => {
  expect(only('0 1 * * * mail me%Dear me,%it is 5 \\%.').steps[0].script).toBe(
    "{\nmail me\n} <<'END_OF_INPUT'\nDear me,\nit is 5 %.\nEND_OF_INPUT\n",
  )
  expect(only('0 1 * * * date +\\%F').steps[0].script).toBe('date +%F\n')
})

test('entries are named after their programs, and equal names are numbered', () => {
  const commands = [
    '/opt/Back_Up.sh',
    'LANG=C back-up',
    '(cd /x; ls)',
    '. ./x',
    `${'long'.repeat(20)} x`,
    '"$X"',
  ]
  const names = readCrontab(commands.map((command) => `0 1 * * * ${command}`).join('\n')).map(
    ({ name }) => name,
  )
  expect(names.slice(0, 4)).toEqual(['cron-back-up', 'cron-back-up-2', 'cron-cd', 'cron-entry'])
  for (const name of names) expect(name).toMatch(/^[a-z0-9-]{1,40}$/)
})

describe('a crontab of the system', () => {
  const lines = ['17 *\t* * *\troot    cd / && run-parts', '@daily backup /srv/backup.sh']

  test('names a user before the command, which is not part of it', () => {
    const entries = readCrontab(lines.join('\n'), { isSystem: true })
    expect(entries.map(({ name, schedule }) => [name, schedule])).toEqual([
      ['cron-cd', '17 * * * *'],
      ['cron-backup', '0 0 * * *'],
    ])
    expect((parse(entries[0]?.spec ?? '') as Spec).steps[0].script).toBe('cd / && run-parts\n')
    expect(entries[1]?.notes).toEqual([expect.stringContaining('as backup')])
    expect(readCrontab('0 1 * * * root', { isSystem: true })[0]?.fault).toContain('a user and a command')
  })

  test('is recognised when one entry names root and all others could name a user', () => {
    expect(readCrontab(lines.join('\n')).map(({ name }) => name)).toEqual(['cron-cd', 'cron-backup'])
    expect(readCrontab('@daily root -b -q fit.C')[0]?.name).toBe('cron-root')
    expect(readCrontab(`${lines[0]}\n@daily /srv/backup.sh now`)[0]?.name).toBe('cron-root')
    expect(readCrontab(`PATH=/bin\n${lines[0]}\n`)[0]?.name).toBe('cron-cd')
    expect(readCrontab('0 1 * * * backup /srv')[0]?.name).toBe('cron-backup')
    expect((parse(readCrontab('0 1 * * * backup /srv')[0]?.spec ?? '') as Spec).steps[0].script).toBe(
      'backup /srv\n',
    )
  })
})

test.each([
  '# m h dom mon dow user\tcommand',
  '# |  .---- hour\n# *  *  *  *  * user-name  command to be executed',
])('the header of /etc/crontab shows that its entries name users: %j', (remark) => {
  const [entry] = readCrontab(`${remark}\n0 1 * * * www-data /srv/run.sh\n`)
  expect(entry).toMatchObject({ name: 'cron-run', notes: [expect.stringContaining('as www-data')] })
})

test('settings that only cron knows are not variables, and a note says so', () => {
  const [entry] = readCrontab('RANDOM_DELAY=5\nMAILFROM=cron@x.example\nMAILTO=a@x.example\n0 1 * * * x\n')
  const spec = parse(entry?.spec ?? '') as object
  expect(spec).not.toHaveProperty('env')
  expect(spec).toMatchObject({ errorMail: { from: 'cron@x.example', to: 'a@x.example' } })
  expect(entry?.notes).toContain('RANDOM_DELAY has no counterpart and is not used')
})

describe('unusual bytes', () => {
  test('a byte order mark and any line ends are accepted', () => {
    const text = '\ufeffA=1\r\n0 1 * * * first\r0 2 * * * second\n'
    expect(readCrontab(text).map(({ name, line, fault }) => [name, line, fault])).toEqual([
      ['cron-first', 2, undefined],
      ['cron-second', 3, undefined],
    ])
  })

  test('a line that is too long is reported with its number, and the others are read', () => {
    const text = `0 1 * * * ok\n0 2 * * * echo ${'x'.repeat(1_000_000)}\n${' '.repeat(70_000)}\n`
    expect(readCrontab(text).map(({ line, fault }) => [line, fault])).toEqual([
      [1, undefined],
      [2, 'the line has 1000015 characters, at most 65536'],
      [3, 'the line has 70000 characters, at most 65536'],
    ])
  })

  test('a file that is not text is refused', () => {
    expect(() => crontabLines(Buffer.from('0 1 * * * x\n0 2 * * * y\0\n'))).toThrow(
      'line 2 of the crontab has a NUL character: it is not a text',
    )
    expect(() => crontabLines(Buffer.from([0x30, 0xff, 0x31]))).toThrow('the crontab is not a text in UTF-8')
    expect(() => crontabLines(Buffer.from('\n'.repeat(100_000)))).toThrow(
      'the crontab has 100001 lines, at most 100000',
    )
  })
})

test('MAILTO receives failure mails of the entries below it, until an empty MAILTO', () => {
  const text = [
    '0 1 * * * first',
    'MAILTO=ops@example.com,b@example.com',
    '0 1 * * * second',
    'MAILTO=""',
    '0 1 * * * third',
  ]
  const entries = readCrontab(text.join('\n'))
  const [first, second, third] = entries.map(({ spec }) => parse(spec ?? '') as object)
  expect(first).not.toHaveProperty('errorMail')
  expect(second).toMatchObject({
    mailOn: { failure: true },
    errorMail: { to: 'ops@example.com,b@example.com' },
  })
  expect(third).not.toHaveProperty('errorMail')
  expect(entries.map(({ notes }) => notes.length)).toEqual([0, 1, 0])
  expect(readSpec(entries[1]?.spec ?? '', { fileName: 'x' }).problems).toEqual([])
})

describe('an entry that cannot be converted', () => {
  test.each([
    ['# a remark\n\n61 * * * * x', 3, /minute: "61" is not a number/],
    ['@reboot x', 1, /@reboot has no counterpart/],
    ['@often x', 1, /@often is not offered/],
    ['0 1 * *', 1, /neither a setting nor five fields and a command/],
    ['CRON_TZ=Nowhere/Land\n0 1 * * * x', 2, /unknown time zone "Nowhere\/Land"/],
  ])('is reported with its line: %j', (text, line, fault) => {
    expect(readCrontab(text)).toMatchObject([{ line, fault: expect.stringMatching(fault) as string }])
  })
})
