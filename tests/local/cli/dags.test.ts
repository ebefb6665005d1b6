import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { documents, millrace } from '#tests/support/command-line.ts'
import { dataFolder, startServer } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

const data = dataFolder()
const server = await startServer(data.path, { MILLRACE_LOG_FORMAT: 'text', MILLRACE_TZ: 'Asia/Tokyo' })
const files = mkdtempSync(join(tmpdir(), 'millrace-files-'))
const here = { MILLRACE_URL: server.url }

afterAll(async () => {
  await server.stop()
  await data.remove()
  rmSync(files, { recursive: true })
})

const ask = (...args: string[]) => millrace(args, here)

function file(name: string, text: string): string {
  writeFileSync(join(files, name), text)
  return join(files, name)
}

const good = file('good.yaml', 'params: [WHO: me]\nsteps:\n  - name: a\n    command: echo $WHO\n')
const bad = file('bad.yaml', 'steps:\n  - nme: a\n')

describe('validate', () => {
  test('reports each file, and fails if one has faults', async () => {
    expect(await millrace(['validate', good])).toEqual({ code: 0, stdout: `${good}: valid\n`, stderr: '' })
    const { code, stdout } = await millrace(['validate', good, bad])
    expect(code).toBe(1)
    expect(stdout).toMatch(/good.yaml: valid\n.*bad.yaml: .*did you mean name\?/)
    expect(documents((await millrace(['validate', bad, '--json'])).stdout)).toMatchObject([
      { file: bad, valid: false, errors: [expect.stringContaining('nme')] },
    ])
  })

  test('warns of DAGs and queues that exist neither beside the file nor on the service', async () => {
    const text =
      'queue: nightly\nsteps:\n  - call: good.yaml\n  - call: known\n  - call: missing\n  - echo $UNSET\n'
    const calls = file('calls.yaml', text)
    const messages = (stdout: string): string[] =>
      documents<{ warnings: { message: string; line: number; column: number }[] }>(stdout).flatMap(
        ({ warnings }) => warnings.map(({ message, line, column }) => `${line}:${column} ${message}`),
      )
    const unset =
      '6:5 step 4: command refers to $UNSET, which nothing in the file defines: ' +
      'it is empty unless a caller or .env gives it'
    const missing = (name: string, where: string, at: string): string =>
      `${at} there is no DAG "${name}" to call${where}`
    expect(messages((await millrace(['validate', calls, '--json'])).stdout)).toEqual([
      unset,
      missing('known', ' in the folder of this file', '4:11'),
      missing('missing', ' in the folder of this file', '5:11'),
    ])
    const queues = { MILLRACE_QUEUES: 'daily=2' }
    expect((await millrace(['validate', calls], queues)).stdout).toContain(
      'line 1, column 8: MILLRACE_QUEUES does not define the queue "nightly"',
    )
    await ask('import', file('known.yml', 'steps: [echo]\n'))
    for (const [args, environment] of [
      [['validate', calls, '--json', '--url', server.url], {}],
      [['validate', calls, '--json'], here],
    ] as const)
      expect(messages((await millrace([...args], environment)).stdout)).toEqual([
        unset,
        '1:8 no setting defines the queue "nightly": it has the limit of this DAG',
        missing('good', '', '3:11'),
        missing('missing', '', '5:11'),
      ])
    const plan = documents((await millrace(['plan', calls, '--json'], here)).stdout)
    expect(plan).toMatchObject([
      { warningsAt: [{ line: 6, column: 5 }, { line: 1 }, { line: 3 }, { line: 5 }] },
    ])
  })

  test('reads all files of a folder', async () => {
    const { code, stdout } = await millrace(['validate', 'local/dags'])
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => line.endsWith('.yaml: valid')).length).toBeGreaterThan(4)
  })

  test('names a file that it cannot read', async () => {
    expect(await millrace(['validate', '/nowhere.yaml'])).toMatchObject({
      code: 1,
      stderr: 'millrace validate: there is no file "/nowhere.yaml"\n',
    })
  })
})

describe('plan', () => {
  test('shows what a run with these params would do', async () => {
    const { code, stdout } = await millrace(['plan', good, '--', 'WHO=you and me'])
    expect(code).toBe(0)
    expect(stdout).toBe(
      'good (queue good)\nvalues:\n  WHO = you and me  (given)\norder:\n  1. a  shell: echo $WHO\n',
    )
    expect(documents((await millrace(['plan', good, '--json'])).stdout)).toMatchObject([
      { order: [['a']], values: [{ name: 'WHO', value: 'me', origin: 'default' }], queue: 'good' },
    ])
  })

  test('names a missing file', async () => {
    const stderr = 'millrace plan: there is no file "stored-dag"\n'
    expect(await millrace(['plan', 'stored-dag'])).toEqual({ code: 1, stdout: '', stderr })
  })

  test('refuses a file with faults', async () => {
    expect(await millrace(['plan', bad])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('nme') as string,
    })
  })
})

describe('next, suspend, resume', () => {
  test('next lists the starts that the service expects, in its time zone', async () => {
    await server.post('/dags', { name: 'dawn', spec: 'schedule: "0 6 * * *"\nsteps:\n  - echo\n' })
    const rows = documents<{ at: string; dag: string; suspended: boolean }>(
      (await ask('next', '--json')).stdout,
    )
    expect(rows.map(({ at, dag, suspended }) => `${at.slice(10)} ${dag} ${suspended}`).toSorted()).toEqual([
      'T05:30:00Z disk-watch false',
      'T21:00:00Z dawn false',
    ])
    expect(documents((await ask('next', 'dawn', '-n', '3', '--json')).stdout)).toHaveLength(3)
    expect(await ask('next', 'hello')).toMatchObject({ code: 0, stdout: 'nothing is scheduled\n' })
    expect(await ask('next', 'nope')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"nope"') as string,
    })
  })

  test('next lists the other DAGs even if one cannot start by schedule', async () => {
    const params = 'params: {schema: {type: object, properties: {N: {type: integer}}, required: [N]}}'
    await server.post('/dags', {
      name: 'wants',
      spec: `schedule: "0 7 * * *"\n${params}\nsteps:\n  - echo\n`,
    })
    const { code, stdout } = await ask('next')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^- +wants +.*param N is required$/m)
    expect(stdout).toContain('disk-watch')
  })

  test('a DAG is suspended and resumed', async () => {
    expect((await ask('suspend', 'disk-watch')).stdout).toBe('disk-watch is suspended\n')
    expect((await ask('next', 'disk-watch')).stdout).toMatch(/disk-watch {2}suspended: does not start$/m)
    expect(documents((await ask('resume', 'disk-watch', '--json')).stdout)).toEqual([
      { dag: 'disk-watch', suspended: false },
    ])
    expect((await ask('status')).stdout).not.toContain('(suspended)')
    expect(await ask('suspend', 'nope')).toMatchObject({ code: 1 })
  })
})

describe('show, edit, delete', () => {
  const spec = (work: string) => `description: greets\nsteps:\n  - name: a\n    command: echo ${work}\n`
  /** An editor that replaces one word by another. */
  const editor = (from: string, to: string, more = '') => ({
    ...here,
    VISUAL: `sh -c 'sed -i s/${from}/${to}/ "$0"${more}'`,
  })
  const stored = async () => (await ask('show', 'text', '--spec')).stdout

  test('a DAG is shown with its schedule, its params and its steps, or as its text', async () => {
    await server.post('/dags', { name: 'text', spec: spec('old') })
    await server.post('/dags', {
      name: 'shown',
      spec: 'name: other\nschedule: "0 6 * * *"\nparams: WHO=me\nsteps:\n  - name: a\n    command: echo "$WHO is"\n',
    })
    const { stdout } = await ask('show', 'other', '--utc')
    expect(stdout).toMatch(
      /^shown\n {2}name +other\n {2}schedule +0 6 \* \* \*\n {2}next +\S+ 21:00:00 UTC, /,
    )
    expect(stdout).toMatch(/\n {2}params +WHO=.*\n {2}steps\n {4}a {2}echo "\$WHO is"\n$/)
    expect(await stored()).toBe(spec('old'))
    expect(documents((await ask('show', 'other', '--json')).stdout)).toMatchObject([
      {
        dag: { name: 'other' },
        nextFires: [{}, {}, {}, {}, {}].map(() => expect.stringMatching(/T21:00:00Z$/)),
      },
    ])
    expect(await ask('show', 'txet')).toMatchObject({
      code: 1,
      stderr: 'millrace show: DAG "txet" not found; did you mean text?\n',
    })
  })

  test('an edited text is saved, an unchanged one is left alone', async () => {
    expect(await millrace(['edit', 'text'], editor('old', 'new'))).toEqual({
      code: 0,
      stdout: 'text is saved\n',
      stderr: '',
    })
    expect(await stored()).toBe(spec('new'))
    expect(await millrace(['edit', 'text'], editor('old', 'new'))).toMatchObject({
      stdout: 'text is unchanged\n',
    })
  })

  test('a text that has faults or conflicts with another save is kept in a file', async () => {
    const kept = (stderr: string): string =>
      readFileSync(/the text is in (\S+)\n$/.exec(stderr)?.[1] ?? '', 'utf8')
    const faulty = await millrace(['edit', 'text'], editor('command', 'comand'))
    expect(faulty).toMatchObject({ code: 1, stdout: '' })
    expect(faulty.stderr).toMatch(/^line 4, column 5: .*did you mean command\?\n/)
    expect(kept(faulty.stderr)).toContain('comand: echo new')
    const url = `${server.url}/api/v2/dags/text/spec`
    const meanwhile = `; curl -sf -X PUT ${url} -H content-type:application/json -d @${files}/theirs.json`
    file('theirs.json', JSON.stringify({ spec: spec('theirs') }))
    const late = await millrace(['edit', 'text'], editor('new', 'mine', meanwhile))
    expect(late.code).toBe(1)
    expect(late.stderr).toMatch(
      /^millrace edit: somebody else has saved text in the meantime, so nothing is saved; /,
    )
    expect(kept(late.stderr)).toBe(spec('mine'))
    expect(await stored()).toBe(spec('theirs'))
    for (const { stderr } of [faulty, late])
      rmSync(dirname(/the text is in (\S+)/.exec(stderr)?.[1] ?? ''), { recursive: true })
  })

  test('delete needs a terminal to confirm on, or --yes', async () => {
    expect(await ask('delete', 'text')).toMatchObject({
      code: 2,
      stderr: 'millrace delete: there is no terminal to ask on; pass --yes (millrace help delete)\n',
    })
    expect((await ask('delete', 'text', '--yes')).stdout).toBe('text is deleted\n')
    expect(await ask('delete', 'text', '-y')).toMatchObject({ code: 1 })
  })

  test('runners are listed with their health', async () => {
    expect((await ask('runners')).stdout).toMatch(
      /^RUNNER +HEALTH +HEARTBEAT +SLOTS +LABELS +RUNS\n\S+ +healthy +\d{4}-.* 0 of \d/,
    )
  })

  test('the service log in text format has a line for the end of a run', async () => {
    const { stdout } = await ask('start', 'hello', '--wait', '--json')
    const [run] = documents<{ dagRunId: string }>(stdout)
    const line = new RegExp(
      `^\\d\\d:\\d\\d:\\d\\d {2}hello ${run?.dagRunId}: success after [\\d.]+ m?s$`,
      'm',
    )
    await until('the run is in the log', () => line.test(server.output()))
    expect(server.output()).not.toContain('{"level"')
  })
})

describe('import', () => {
  const folder = join(files, 'folder')
  mkdirSync(folder)
  writeFileSync(join(folder, 'one.yaml'), 'steps:\n  - echo one\n')
  writeFileSync(join(folder, 'two.yml'), 'steps:\n  - echo two\n')
  writeFileSync(join(folder, 'bad.yaml'), 'steps:\n  - nme: a\n')
  writeFileSync(join(folder, 'notes.txt'), 'no DAG\n')
  const outcomes = (stdout: string) =>
    documents<{ dag: string; outcome: string }>(stdout).map(({ dag, outcome }) => `${dag} ${outcome}`)

  test('a dry run stores nothing', async () => {
    const { code, stdout } = await ask('import', folder, '--dry-run', '--json')
    expect(code).toBe(1)
    expect(outcomes(stdout)).toEqual(['bad faulty', 'one created', 'two created'])
    expect((await server.get('/dags/one')).status).toBe(404)
  })

  test('a folder is stored, but existing DAGs are replaced only with --replace', async () => {
    const first = await ask('import', folder)
    expect(first.code).toBe(1)
    expect(first.stdout).toMatch(/^bad +faulty$/m)
    expect(first.stdout).toMatch(/^fault: bad: .*nme/m)
    expect(first.stdout).toMatch(/^one +created$/m)
    rmSync(join(folder, 'bad.yaml'))
    expect(outcomes((await ask('import', folder, '--json')).stdout)).toEqual([
      'one unchanged',
      'two unchanged',
    ])
    writeFileSync(join(folder, 'one.yaml'), 'steps:\n  - echo another\n')
    const refused = await ask('import', folder, '--json')
    expect([refused.code, outcomes(refused.stdout)]).toEqual([1, ['one differs', 'two unchanged']])
    const replaced = await ask('import', folder, '--json', '--replace')
    expect([replaced.code, outcomes(replaced.stdout)]).toEqual([0, ['one replaced', 'two unchanged']])
    expect((await server.get('/dags/one/spec')).body).toMatchObject({ spec: 'steps:\n  - echo another\n' })
  })

  test('an invalid name and a missing folder are errors, an empty folder is not', async () => {
    expect(await ask('import', file('two words.yaml', 'steps:\n  - echo\n'))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^fault: two words: .*letters/m) as string,
    })
    expect(await ask('import', '-')).toMatchObject({ code: 2, stdout: '' })
    expect(await ask('import', join(files, 'nothing'))).toMatchObject({ code: 1, stdout: '' })
    mkdirSync(join(files, 'empty'))
    expect(await ask('import', join(files, 'empty'))).toMatchObject({
      code: 0,
      stdout: `${files}/empty contains no DAG\n`,
    })
  })

  test('DAGs that would mail but have no SMTP server are named', async () => {
    const mute = file(
      'mute.yaml',
      'mailOn: {failure: true}\nerrorMail: {to: ops@example.com}\nsteps: [echo]\n',
    )
    expect((await ask('import', mute, '--dry-run')).stdout).toMatch(
      /^warning: nothing is mailed by mute: neither the DAG nor the service has smtp/m,
    )
    const own = file('own.yaml', `${readFileSync(mute, 'utf8')}smtp: {host: 127.0.0.1, port: "25"}\n`)
    expect((await ask('import', own, '--dry-run')).stdout).not.toContain('mailed')
  })

  test('subfolders are read, and two files with the same name are both faulty', async () => {
    const tree = join(files, 'tree')
    mkdirSync(join(tree, 'team', '.git'), { recursive: true })
    for (const path of ['low.yaml', 'twin.yaml', 'team/twin.yml', 'team/.git/hidden.yaml'])
      writeFileSync(join(tree, path), 'steps:\n  - echo low\n')
    writeFileSync(join(tree, 'team', 'high.yaml'), 'steps:\n  - call: low\n')
    writeFileSync(join(tree, 'search.yaml'), 'steps:\n  - echo word\n')
    const { stdout } = await ask('import', tree, '--dry-run', '--json')
    expect(outcomes(stdout)).toEqual([
      'low created',
      'search faulty',
      'high created',
      'twin faulty',
      'twin faulty',
    ])
    expect(stdout).toContain(`${tree}/team/twin.yml and ${tree}/twin.yaml have the same name`)
    const checked = await ask('validate', tree)
    expect(checked.stdout).toContain(`${tree}/search.yaml: name: must not be`)
    // A DAG that is validated together with its caller is not missing, even if the service does not have it.
    expect(checked.stdout).toContain(`${tree}/team/high.yaml: valid\n`)
    expect(checked.stdout).not.toContain('there is no DAG')
    expect(await ask('start', `${tree}/low.yaml`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /not found; files are read by millrace validate, plan and import$/m,
      ) as string,
    })
  })

  test('a crontab that mails without an SMTP server gets a warning, and notes name their lines', async () => {
    const crontab = 'MAILTO=ops@example.com\n@daily mailing-one\n@daily mailing-two\n'
    const { code, stdout } = await millrace(['import', '-', '--crontab', '--dry-run'], here, crontab)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^cron-mailing-one +0 0 \* \* \* +would be created, suspended$/m)
    expect(stdout).toMatch(/^note: lines 2, 3: MAILTO becomes errorMail/m)
    expect(stdout).toMatch(/^warning: nothing is mailed: the service has no smtp/m)
    const large = await millrace(['import', '-', '--crontab'], here, 'x'.repeat(1_100_000))
    expect(large).toMatchObject({
      code: 1,
      stderr: 'millrace import: the crontab is larger than 1048576 bytes\n',
    })
    const folder = await ask('import', '--crontab', files)
    expect(folder).toMatchObject({ code: 1, stderr: expect.stringContaining('crontab') as string })
  })

  test('the entries of a crontab become DAGs that do the same', async () => {
    const crontab = [
      `GREETING="it's $5"`,
      `HOME=${files}`,
      '30 5 * * mon /bin/echo "$GREETING from $PWD"; false; echo on',
      '@hourly cat%first 100\\%%second',
      '@reboot echo up',
    ]
    const read = (...more: string[]) =>
      millrace(['import', '-', '--crontab', ...more], here, crontab.join('\n'))
    const dry = await read('--dry-run')
    expect(dry.stdout).toMatch(/^cron-echo +30 5 \* \* mon +would be created, suspended$/m)
    expect((await server.get('/dags/cron-echo')).status).toBe(404)
    const { code, stdout } = await read('--json')
    expect(code).toBe(1)
    expect(outcomes(stdout)).toEqual(['cron-echo created', 'cron-cat created', 'cron-echo-2 faulty'])
    expect(await ask('start', 'cron-echo', '--wait')).toMatchObject({ code: 0 })
    expect((await ask('logs', 'cron-echo', '-s', 'run')).stdout).toBe(`it's $5 from ${files}\non\n`)
    expect(await ask('start', 'cron-cat', '--wait')).toMatchObject({ code: 0 })
    expect((await ask('logs', 'cron-cat', '-s', 'run')).stdout).toBe('first 100%\nsecond\n')
    expect((await ask('status')).stdout).toMatch(/^cron-cat .* 0 \* \* \* \* \(suspended\)$/m)
    await ask('delete', 'cron-cat', '--yes')
    const again = await read('--activate', '--json')
    expect(outcomes(again.stdout)).toEqual(['cron-echo unchanged', 'cron-cat created', 'cron-echo-2 faulty'])
    expect((await ask('status')).stdout).toMatch(/^cron-cat .* 0 \* \* \* \*$/m)
  })
})

describe('schedule and overview', () => {
  test('schedule lists the coming starts with collisions, for all DAGs or one, as text or JSON', async () => {
    const spec = 'schedule: "0 6 * * *"\nsteps:\n  - echo\n'
    for (const name of ['sunrise', 'rooster']) await server.post('/dags', { name, spec })
    const { code, stdout } = await ask('schedule', '--days', '2')
    expect(code).toBe(0)
    expect(stdout).toMatch(/rooster +Asia\/Tokyo +\d DAGs at this time/)
    const fires = documents<{ at: string; fileName: string }>(
      (await ask('schedule', '--dag', 'rooster', '--days', '3', '--json')).stdout,
    )
    expect(fires.map(({ at, fileName }) => `${at.slice(11)} ${fileName}`)).toEqual(
      Array.from({ length: 3 }, () => '21:00:00Z rooster'),
    )
    expect(await ask('schedule', '--dag', 'hello')).toMatchObject({
      stdout: 'nothing fires in the next 7 days\n',
    })
    expect(await ask('schedule', '--days', '32')).toMatchObject({ code: 2 })
  })

  test('schedule --preview shows what a changed file would change', async () => {
    const changed = file('rooster.yaml', 'schedule: "0 6 * * 1-5"\nsteps:\n  - echo\n')
    const { code, stdout } = await ask('schedule', '--preview', changed, '--days', '14')
    expect(code).toBe(0)
    expect(stdout).toContain('rooster: in the next 14 days 0 fires added, 4 removed, 10 kept')
    expect(stdout.match(/^ {2}- /gm)).toHaveLength(4)
    const spoilt = file('spoilt.yaml', 'schedule: "61 * * * *"\nsteps:\n  - echo\n')
    expect(await ask('schedule', '--preview', spoilt)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('minute') as string,
    })
  })

  test('overview prints a summary as text or JSON', async () => {
    const { code, stdout } = await ask('overview')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^now: \d+ running, \d+ waiting/)
    expect(stdout).toContain('next:')
    expect(documents((await ask('overview', '--hours', '2', '--json')).stdout)).toMatchObject([
      { runners: { live: 1 } },
    ])
  })
})
