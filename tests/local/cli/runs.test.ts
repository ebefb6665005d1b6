import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { begin, documents, millrace } from '#tests/support/command-line.ts'
import { dataFolder, startServer } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

const run = promisify(execFile)
const data = dataFolder()
const server = await startServer(data.path, { MILLRACE_LOG_LEVEL: 'silent', MILLRACE_QUEUES: 'heavy=2' })
const here = { MILLRACE_URL: server.url }

afterAll(async () => {
  await server.stop()
  await data.remove()
})

const ask = (...args: string[]) => millrace(args, here)

interface Run {
  readonly name: string
  readonly dagRunId: string
  readonly statusLabel: string
  readonly params: string
}

async function create(name: string, spec: string): Promise<void> {
  expect(await server.post('/dags', { name, spec })).toMatchObject({ status: 201 })
}

/** Starts a run that stays active until the file `release` exists. */
async function startHeld(name: string): Promise<{ id: string; release: string }> {
  const release = `${data.path}/${name}`
  await create(name, `steps:\n  - name: hold\n    command: until [ -e ${release} ]; do sleep 0.05; done\n`)
  const { stdout } = await ask('start', name)
  await until('it runs', async () => (await ask('ps')).stdout.includes(`${stdout.trim()}  running`))
  return { id: stdout.trim(), release }
}

describe('start', () => {
  test('prints the run id, which the caller may choose', async () => {
    expect(await ask('start', 'hello', '--run-id', 'mine')).toEqual({ code: 0, stdout: 'mine\n', stderr: '' })
    expect(documents((await ask('start', 'hello', '--run-id=other', '--json')).stdout)).toEqual([
      { dagRunId: 'other' },
    ])
    expect(await ask('start', 'hello', '--run-id', 'mine')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^millrace start: run mine of hello already exists\n$/) as string,
    })
  })

  test.each([
    [['NAME=Ada L', '--wait'], '^Hello Ada L, it is'],
    [['NAME=a "b" \\ $HOME `id`'], '^Hello a "b" \\\\ \\$HOME `id`, it is'],
    [['{"NAME": "JSON"}'], '^Hello JSON, it is'],
  ])('passes params to the run unchanged: %j', async (params, greeting) => {
    const { code } = await ask(
      'start',
      'hello',
      '--run-id',
      `params-${params[0]?.length}`,
      '-w',
      '--',
      ...params,
    )
    expect(code).toBe(0)
    const { stdout } = await ask('logs', 'hello', `params-${params[0]?.length}`, '--step', 'greet')
    expect(stdout).toMatch(new RegExp(greeting))
  })

  test('--wait exits with a code for the outcome, and names what failed', async () => {
    await create('sound', 'steps:\n  - name: a\n    command: "true"\n')
    await create('broken', 'steps:\n  - name: a\n    command: exit 7\n')
    const first = '  - name: a\n    command: "false"\n    continueOn: {failure: true}\n'
    await create('in-part', `steps:\n${first}  - name: b\n    command: "true"\n    depends: a\n`)
    expect(await ask('start', 'sound', '--wait')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sound \S+ finished after [\d.]+ m?s\n$/) as string,
      stderr: '',
    })
    const failed = await ask('start', 'broken', '--wait')
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(/^broken \S+ failed after .*s\n {2}✗ a failed after .*s: exit status 7\n$/)
    const part = await ask('start', 'in-part', '--wait', '--json')
    expect(part.code).toBe(4)
    expect(documents<Run>(part.stdout)).toMatchObject([{ name: 'in-part', statusLabel: 'partial success' }])
  })

  test('--wait exits with code 3 if the run is stopped', async () => {
    const release = `${data.path}/never`
    await create(
      'stopped',
      `steps:\n  - name: hold\n    command: until [ -e ${release} ]; do sleep 0.05; done\n`,
    )
    const waiting = begin(['start', 'stopped', '--wait', '--run-id', 'soon-over'], here)
    await until('it runs', async () => (await ask('ps')).stdout.includes('soon-over  running'))
    expect(await ask('stop', 'stopped', 'soon-over')).toMatchObject({
      code: 0,
      stdout: 'stopped soon-over is asked to stop\n',
    })
    expect(await waiting.code).toBe(3)
    expect(waiting.stdout).toContain('stopped soon-over cancelled')
  })

  test('a DAG is found by its file name and by the name in its text', async () => {
    await create('filed', 'name: called\nsteps:\n  - name: a\n    command: echo filed\n')
    expect(await ask('start', 'filed', '--wait')).toMatchObject({ code: 0 })
    expect((await ask('logs', 'filed', '-s', 'a')).stdout).toBe('filed\n')
    expect((await ask('logs', 'called', '-s', 'a')).stdout).toBe('filed\n')
  })

  test('logs of child runs are found by the ids that status shows', async () => {
    await create('leaf', 'steps:\n  - name: say\n    command: echo "leaf $1"\n')
    await create('middle', 'steps:\n  - name: down\n    run: leaf\n    params: green\n')
    await create('above', 'steps:\n  - name: call\n    run: middle\n')
    expect(await ask('start', 'above', '--run-id', 'top', '--wait')).toMatchObject({ code: 0 })
    const childIn = (stdout: string): string => /^ {4}\w+ (\S+) finished/m.exec(stdout)?.[1] ?? stdout
    const middle = childIn((await ask('status', 'above')).stdout)
    const leaf = childIn((await ask('status', 'above', 'top', '--child', middle)).stdout)
    const below = ['logs', 'above', 'top', '--child', leaf]
    expect((await ask(...below, '--step', 'say')).stdout).toBe('leaf green\n')
    expect((await ask(...below, '--step', 'say', '--stderr')).stdout).toBe('')
    expect((await ask(...below)).stdout).toBe('say | leaf green\n')
    expect((await ask(...below, '--events')).stdout).toContain('step "say" started')
    expect((await ask('logs', 'above', 'top')).stdout).toBe(
      'call > middle > down > leaf > say | leaf green\n',
    )
    expect(await ask('logs', 'above', '--child', 'none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('child run of above "none" not found') as string,
    })
    expect(await ask('status', leaf.slice(0, 8))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a child run is named after the run that started it') as string,
    })
  })

  test.skipIf(!existsSync('/usr/bin/script'))('a terminal shows the steps as they end', async () => {
    const line = `${process.execPath} local/millrace.ts start shop-report --wait`
    const env = { ...process.env, ...here, NO_COLOR: '1' }
    const { stdout } = await run('script', ['-qec', line, '/dev/null'], { env })
    const shown = stdout.split('\r\u001B[K').flatMap((part) => part.split('\r\n'))
    expect(shown.filter((part) => part.startsWith('✓ ')).map((part) => part.split('  ')[1])).toEqual(
      Array.from({ length: 5 }, () => 'finished'),
    )
    expect(shown.some((part) => /^shop-report: \d of 5 steps/.test(part))).toBe(true)
    expect(shown.at(-2)).toMatch(/^shop-report \S+ finished after .*s$/)
  })

  test('--wait shows the last lines of failed steps, including those of child runs', async () => {
    const say = 'echo "leaf $1"; [ "$1" != bad ] || { echo broken pipe >&2; exit 3; }'
    await create('fan-leaf', `params: ITEM=x\nsteps:\n  - name: say\n    command: '${say}'\n`)
    await create('fan', 'steps:\n  - name: each\n    run: fan-leaf\n    parallel: [good, bad]\n')
    const failed = await ask('start', 'fan', '--wait', '--json')
    expect(failed.code).toBe(1)
    expect(documents(failed.stdout)).toMatchObject([
      {
        statusLabel: 'failed',
        failures: [
          { path: ['each'], lines: [] },
          {
            path: ['each', expect.stringMatching(/bad$/), 'say'],
            error: expect.stringMatching(/^exit status 3/) as string,
            lines: ['broken pipe'],
          },
        ],
      },
    ])
    const text = (await ask('logs', 'fan', '--failed')).stdout
    expect(text).toMatch(/^✗ each > .*bad > say \| leaf bad\n✗ each > .*bad > say \| broken pipe$/m)
    expect(text).toMatch(/^✗ each > .*bad > say \| failed after .*s: exit status 3$/m)
    expect(text).not.toContain('leaf good')
    expect((await ask('logs', 'fan')).stdout).toMatch(/^each > .*good > say \| leaf good$/m)
    expect((await ask('status', 'fan')).stdout).toMatch(/^ {4}fan-leaf \S+ failed {2}.*bad$/m)
  })

  test('a misspelt DAG or queue is an error that suggests the nearest name', async () => {
    expect(await ask('start', 'shop-repotr')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'millrace start: DAG "shop-repotr" not found; did you mean shop-report?\n',
    })
    expect(await ask('enqueue', 'hello', '--queue', 'hevy')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'millrace enqueue: queue "hevy" not found (MILLRACE_QUEUES defines queues); did you mean heavy?\n',
    })
    expect(await ask('enqueue', 'hello', '--queue', 'heavy', '--wait')).toMatchObject({ code: 0 })
    expect(await ask('history', 'shop-repotr')).toMatchObject({ code: 1 })
  })

  test('a DAG name is refused only if several files share it', async () => {
    await create('twin-a', 'name: twin\nsteps:\n  - name: a\n    command: "true"\n')
    expect(await ask('start', 'twin', '--wait')).toMatchObject({ code: 0 })
    await create('twin-b', 'name: twin\nsteps:\n  - name: a\n    command: "true"\n')
    expect(await ask('start', 'twin')).toMatchObject({
      code: 1,
      stderr: 'millrace start: 2 DAGs have the name "twin": name the file, twin-a or twin-b\n',
    })
    expect((await ask('history', 'twin-a')).stdout).toMatch(/^twin /m)
  })

  test('a missing DAG and an unreachable service are errors', async () => {
    expect(await ask('start', 'nothing')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'millrace start: DAG "nothing" not found\n',
    })
    const away = await millrace(['ps'], { MILLRACE_URL: 'http://127.0.0.1:1' })
    expect(away).toMatchObject({ code: 1, stdout: '' })
    expect(away.stderr).toMatch(/^millrace ps: the service at http:\/\/127.0.0.1:1 cannot be reached: .*\n$/)
  })
})

describe('active runs', () => {
  test('ps lists them, and stop ends those that run and those that wait', async () => {
    const { id } = await startHeld('held')
    const queued = (await ask('enqueue', 'held')).stdout.trim()
    const rows = documents<Run>((await ask('ps', '--json')).stdout)
    expect(rows.map(({ dagRunId, statusLabel }) => [dagRunId, statusLabel])).toEqual([
      [id, 'running'],
      [queued, 'queued'],
    ])
    expect((await ask('stop', 'held', queued)).stdout).toBe(`held ${queued} is removed from its queue\n`)
    expect(await ask('stop', 'held', '--all')).toMatchObject({ code: 0 })
    await until('nothing runs', async () => (await ask('ps')).stdout === 'no active or queued runs\n')
    expect(await ask('stop', 'held', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(id) as string,
    })
  })

  test('retry repeats the failed steps, or the whole run under a new id', async () => {
    const flag = `${data.path}/mended`
    await create('mended', `steps:\n  - name: a\n    command: test -e ${flag}\n`)
    expect(await ask('start', 'mended', '--run-id', 'first', '--wait')).toMatchObject({ code: 1 })
    expect(await ask('retry', 'mended', 'latest', '--wait')).toMatchObject({ code: 1 })
    const spec = `steps:\n  - name: touch\n    command: touch ${flag}\n`
    await create('mender', spec)
    await ask('start', 'mender', '--wait')
    expect(await ask('retry', 'mended', 'first', '--wait')).toMatchObject({ code: 0 })
    const again = await ask('retry', 'mended', 'first', '--new-id', 'second', '--wait', '--json')
    expect(again.code).toBe(0)
    expect(documents<Run>(again.stdout)).toMatchObject([{ dagRunId: 'second', statusLabel: 'finished' }])
  })
})

describe('several runs at once', () => {
  test('retry and stop act on the runs that the options select, and report on each', async () => {
    await create('bulk', `steps:\n  - name: a\n    command: "[ -e ${data.path}/good ]"\n`)
    for (const id of ['bulk-1', 'bulk-2', 'bulk-3']) await ask('start', 'bulk', '--run-id', id, '--wait')
    expect(await ask('retry', '--all', '--dag', 'bulk')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'millrace retry: Retry 3 runs of 1 DAG: there is no terminal to ask on; pass --yes (millrace help retry)\n',
    })
    await run('touch', [`${data.path}/good`])
    const two = await ask('retry', 'bulk', 'bulk-1', 'bulk-2', '--yes')
    expect(two).toMatchObject({ code: 0, stderr: '' })
    expect(two.stdout).toMatch(/^DAG +RUN +RESULT\nbulk +bulk-1 +retried\nbulk +bulk-2 +retried\n$/)
    const rest = await ask('retry', '--all', '--dag=bulk', '--status=failed', '--since=1h', '--yes', '--json')
    expect(documents(rest.stdout).map((row) => (row as Run).dagRunId)).toContain('bulk-3')
    await until('all have succeeded', async () => {
      const { stdout } = await ask('history', 'bulk', '--status', 'success', '--json')
      return documents(stdout).length === 3
    })
    expect(await ask('retry', '--all', '--dag', 'bulk', '-y')).toMatchObject({
      code: 0,
      stdout: 'no such runs\n',
    })
    expect(await ask('stop', 'bulk', 'bulk-1', 'bulk-2', '-y')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('is not running') as string,
    })
    expect(await ask('retry', '--all', '--wait')).toMatchObject({ code: 2 })
    expect(await ask('stop')).toMatchObject({ code: 2 })
  })

  test('stop --all --dag ends the active runs of a DAG', async () => {
    const { id } = await startHeld('endless')
    const { stdout } = await ask('stop', '--all', '--dag', 'endless', '--yes')
    expect(stdout).toContain(id)
    await until('it has ended', async () => !(await ask('ps')).stdout.includes(id))
  })

  test('suspend and resume take several DAGs', async () => {
    expect(await ask('suspend', 'bulk', 'endless')).toMatchObject({
      code: 0,
      stdout: 'bulk is suspended\nendless is suspended\n',
    })
    expect((await ask('resume', 'bulk', 'endless')).stdout).toBe('bulk is resumed\nendless is resumed\n')
  })
})

describe('finding and comparing', () => {
  const specOf = (word: string) =>
    `params: SIZE=1\nsteps:\n  - name: measure-rows\n    command: ${word}\n    output: ROWS\n`

  test('search finds DAGs, steps, runs and lines of specs', async () => {
    await create('compared', specOf('echo 17'))
    await ask('start', 'compared', '--run-id', 'find-me-1', '--wait')
    const found = async (text: string) =>
      documents((await ask('search', text, '--json')).stdout).map((row) => {
        const { kind, name, where } = row as Record<string, string>
        return [kind, name, where]
      })
    expect(await found('compared')).toContainEqual(['dag', 'compared', ''])
    expect(await found('measure-rows')).toEqual([
      ['step', 'measure-rows', 'compared:3'],
      ['line', 'compared', 'compared:3'],
    ])
    expect(await found('find-me')).toEqual([['run', 'find-me-1', 'compared']])
    expect(await ask('search', 'echo', '17')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('command: echo 17') as string,
    })
    expect(await ask('search', 'nowhere-at-all')).toMatchObject({
      code: 1,
      stdout: 'nothing contains "nowhere-at-all"\n',
    })
  })

  test('compare shows what differs between two runs', async () => {
    await fetch(`${server.url}/api/v2/dags/compared/spec`, {
      method: 'PUT',
      body: JSON.stringify({ spec: specOf('echo 18; exit 1') }),
    })
    await ask('start', 'compared', '--run-id', 'find-me-2', '--wait', '--', 'SIZE=2')
    const { code, stdout } = await ask('compare', 'compared/find-me-1', 'find-me-2')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^before: compared find-me-1\nafter: {2}compared find-me-2\n/)
    expect(stdout).toMatch(/params +SIZE=1 +SIZE=2/)
    expect(stdout).toMatch(/step measure-rows +finished.* failed/)
    expect(stdout).toContain('-    command: echo 17\n+    command: echo 18; exit 1\n')
    expect((await ask('compare', 'find-me-2')).stdout).toContain('before: compared find-me-1')
    expect(await ask('compare', 'find-me-1')).toMatchObject({ code: 2 })
    const [json] = documents((await ask('compare', 'find-me-1', 'find-me-1', '--json')).stdout)
    expect(json).toMatchObject({ differences: [], specChanges: [] })
  })
})

describe('status, history and logs', () => {
  test('status shows a run with its steps, or all DAGs', async () => {
    await create(
      'partly',
      'steps:\n  - name: fine\n    command: "true"\n  - name: wrong\n    command: exit 3\n',
    )
    await ask('start', 'partly', '--run-id', 'once', '--wait')
    const { stdout } = await ask('status', 'partly')
    expect(stdout).toMatch(/^partly once failed, started \d{4}-\d\d-\d\d [\d:]+ \S+, took .*s\n/)
    expect((await ask('status', 'partly', '--utc')).stdout).toContain(' UTC, took')
    expect(stdout).toMatch(/^ {2}fine {3}finished/m)
    expect(stdout).toMatch(/^ {2}wrong {2}failed .*3/m)
    expect(documents((await ask('status', 'partly', 'once', '--json')).stdout)).toMatchObject([
      { dagRunId: 'once', status: 2, reasons: [{}] },
    ])
    const all = (await ask('status')).stdout
    expect(all).toMatch(/^DAG +LATEST +STARTED +SCHEDULE +FAULTS\n/)
    expect(all).toMatch(/^partly +failed /m)
    expect(all).toMatch(/^disk-watch .*CRON_TZ=UTC 30 5 \* \* \*$/m)
  })

  test('history lists the newest runs first, filtered by DAG, status, tag or time', async () => {
    for (const id of ['h1', 'h2', 'h3'])
      await ask('start', 'unsteady-service', '--run-id', id, '--', 'FAILURES=9')
    await until('they failed', async () => {
      const failed = await ask('history', 'unsteady-service', '--status', 'failed', '--json')
      return documents(failed.stdout).length === 3
    })
    const two = documents<Run>((await ask('history', 'unsteady-service', '-n', '2', '--json')).stdout)
    expect(two.map(({ dagRunId }) => dagRunId)).toEqual(['h3', 'h2'])
    expect((await ask('history', '--dag', 'unsteady-service', '--status', 'finished')).stdout).toBe(
      'no runs\n',
    )
    const narrowed = async (...options: string[]) =>
      documents<Run>((await ask('history', 'unsteady-service', ...options, '--json')).stdout).length
    expect(await narrowed('--status', 'finished,failed', '--tag', 'example')).toBe(3)
    expect(await narrowed('--tag', 'nothing')).toBe(0)
    expect((await ask('history', '--status', 'failed,fnished')).stderr).toContain('did you mean finished')
    const since = async (time: string) =>
      documents<Run>((await ask('history', 'unsteady-service', '--since', time, '--json')).stdout).length
    expect([await since('1h'), await since('2099-01-01')]).toEqual([3, 0])
    expect((await ask('history', '--limit', '1')).stdout).toMatch(
      /^unsteady-service +h3 +failed .*FAILURES=9$/m,
    )
  }, 60_000)

  test('logs prints a run or a step, one stream or the last lines of it, or JSON', async () => {
    const lines = 'for n in 1 2 3; do echo line $n; done; echo wrong >&2'
    await create(
      'loud',
      `steps:\n  - name: a\n    command: ${lines}\n  - name: silent\n    command: "true"\n`,
    )
    await ask('start', 'loud', '--wait')
    expect((await ask('logs', 'loud')).stdout).toBe('a | line 1\na | line 2\na | line 3\na | wrong\n')
    expect((await ask('logs', 'loud', '--merged', '--tail', '9')).stdout).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ a \| (line 1|wrong)\n/,
    )
    expect((await ask('logs', 'loud', '--events')).stdout).toMatch(/step "a" started/)
    const alone = { code: 0, stdout: 'line 1\nline 2\nline 3\n', stderr: 'wrong\n' }
    expect(await ask('logs', 'loud', '-s', 'a')).toEqual(alone)
    expect((await ask('logs', 'loud', 'latest', '-s', 'a', '--tail', '1')).stdout).toBe('line 3\n')
    expect((await ask('logs', 'loud', '-s', 'a', '--stderr')).stdout).toBe('wrong\n')
    expect((await ask('logs', 'loud', '-s', 'silent')).stdout).toBe('')
    expect(documents((await ask('logs', 'loud', '--json')).stdout)).toEqual([
      ...[1, 2, 3].map((n) => ({ step: 'a', stream: 'stdout', line: `line ${n}` })),
      { step: 'a', stream: 'stderr', line: 'wrong' },
    ])
    expect(await ask('logs', 'loud', '-s', 'nope')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"nope"') as string,
    })
  })

  test('a run is found by a prefix of its id, by latest, and by latest with a status', async () => {
    await create(
      'moody',
      'steps:\n  - name: a\n    command: echo $HOW; [ "$HOW" = well ]\nparams: HOW=well\n',
    )
    await ask('start', 'moody', '--run-id', 'moody-one', '--wait', '--', 'HOW=badly')
    await ask('start', 'moody', '--run-id', 'moody-two', '--wait')
    const line = async (...words: string[]) => (await ask('logs', ...words, '--step', 'a')).stdout
    expect(await line('moody')).toBe('well\n')
    expect(await line('moody', 'moody-o')).toBe('badly\n')
    expect(await line('moody-o')).toBe('badly\n')
    expect(await line('moody', 'latest', 'failed')).toBe('badly\n')
    expect(await line('moody', 'latest:finished')).toBe('well\n')
    expect(await line('latest:failed')).toBe('badly\n')
    expect(await line('latest', 'failed')).toBe('badly\n')
    expect(await ask('logs', 'moody', 'moody-')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 runs begin with "moody-": moody moody-two, moody moody-one/) as string,
    })
    expect(await ask('stop', 'moody')).toMatchObject({
      code: 2,
      stderr: 'millrace stop: name the RUN (millrace help stop)\n',
    })
    expect(await ask('logs', 'moody', 'latest', 'running')).toMatchObject({
      code: 1,
      stderr: 'millrace logs: moody has no run with status running\n',
    })
    expect(await ask('logs', 'moody', 'other')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"other" not found') as string,
    })
  })

  test('logs shows every attempt of a run, each under a headline', async () => {
    const flag = `${data.path}/attempted`
    const work = `if test -e ${flag}; then echo again; else touch ${flag}; echo oh; exit 1; fi`
    const kept = 'steps:\n  - name: kept\n    command: echo kept\n'
    await create('attempted', `${kept}  - name: a\n    command: ${work}\n`)
    await ask('start', 'attempted', '--run-id', 'tried', '--wait')
    await ask('retry', 'tried', '--wait')
    expect((await ask('logs', 'tried')).stdout).toMatch(
      /^attempt 1 failed, started .*, took .*s: .*\nkept \| kept\na \| oh\nattempt 2 finished, .*s\na \| again\n$/,
    )
    expect((await ask('logs', 'tried', '--attempt', '1')).stdout).toBe('kept | kept\na | oh\n')
    expect((await ask('logs', 'tried', '--attempt', '2')).stdout).toBe('a | again\n')
    expect(documents((await ask('logs', 'tried', '--json')).stdout)).toEqual([
      { attempt: 1, step: 'kept', stream: 'stdout', line: 'kept' },
      { attempt: 1, step: 'a', stream: 'stdout', line: 'oh' },
      { attempt: 2, step: 'a', stream: 'stdout', line: 'again' },
    ])
    expect((await ask('status', 'tried')).stdout).toMatch(
      /^ {2}attempt 1 failed, .*\n {2}attempt 2 finished/m,
    )
    expect((await ask('logs', 'tried', '--events', '--attempt', '1')).stdout).toContain('run ended: failed')
    expect(await ask('logs', 'tried', '--attempt', '3')).toMatchObject({
      code: 1,
      stderr: 'millrace logs: attempt: the run has had 2 attempts, got 3\n',
    })
  })

  test('logs says why a run could not start', async () => {
    await create('unbegun', 'secrets: [{name: A, provider: env, key: NOWHERE}]\nsteps: ["true"]\n')
    expect(await ask('start', 'unbegun', '--wait')).toMatchObject({ code: 1 })
    const { stderr } = await ask('logs', 'unbegun', '--failed')
    expect(stderr).toBe('failed: secret A: no variable NOWHERE on this runner\n')
  })

  test('status shows no start time for a run that has not started', async () => {
    await create('nowhere', 'workerSelector: {region: moon}\nsteps: ["true"]\n')
    await ask('start', 'nowhere')
    expect((await ask('status', 'nowhere')).stdout).toMatch(/^nowhere \S+ not started\n/)
    expect(await ask('stop', 'nowhere', 'latest')).toMatchObject({ code: 0 })
  })

  test('logs --failed shows the last lines of failed steps, including standard error', async () => {
    const noisy = 'seq 1 80; echo oh no >&2; exit 4'
    await create(
      'noisy',
      `steps:\n  - name: fine\n    command: echo fine\n  - name: bad\n    command: ${noisy}\n`,
    )
    await ask('start', 'noisy', '--wait')
    const { stdout } = await ask('logs', 'noisy', '--failed')
    expect(stdout.split('\n').slice(0, 2)).toEqual(['✗ bad | … 30 earlier lines', '✗ bad | 31'])
    expect(stdout).toMatch(/✗ bad \| 80\n✗ bad \| oh no\n✗ bad \| failed after .*s: exit status 4\n$/)
    expect((await ask('logs', 'noisy', '--failed', '--tail', '1', '--stderr')).stdout).toMatch(
      /^✗ bad \| oh no\n✗ bad \| failed/,
    )
  })

  test('logs prints all of a log that is longer than one response', async () => {
    await create('long', 'steps:\n  - name: count\n    command: seq 1 25000\n')
    await ask('start', 'long', '--wait')
    const { stdout } = await ask('logs', 'long', '-s', 'count')
    expect(stdout).toBe(Array.from({ length: 25_000 }, (_, n) => `${n + 1}\n`).join(''))
  })

  test('logs --follow prints until the run ends', async () => {
    const release = `${data.path}/follow`
    const wait = `until [ -e ${release} ]; do sleep 0.05; done`
    await create('followed', `steps:\n  - name: a\n    command: echo one; ${wait}; echo two\n`)
    await ask('start', 'followed')
    const following = begin(['logs', 'followed', '-f', '-s', 'a'], here)
    await until('the first line is printed', () => following.stdout === 'one\n')
    await create('opener', `steps:\n  - name: a\n    command: touch ${release}\n`)
    await ask('start', 'opener')
    expect(await following.code).toBe(0)
    expect(following.stdout).toBe('one\ntwo\n')
    expect(following.stderr).toBe('')
  })

  test('logs --follow shows all steps as they print, and then why a step failed', async () => {
    const release = `${data.path}/follow-all`
    const wait = `until [ -e ${release} ]; do sleep 0.05; done`
    const steps = [
      '  - name: before\n    command: echo done before\n',
      `  - name: slow\n    depends: before\n    command: echo one; ${wait}; echo two; exit 5\n`,
      `  - name: other\n    depends: before\n    command: echo else >&2; ${wait}\n`,
    ]
    await create('all-followed', `type: graph\nsteps:\n${steps.join('')}`)
    await ask('start', 'all-followed')
    const following = begin(['logs', 'all-followed', '-f'], here)
    await until(
      'both steps have printed',
      () => /slow \| one/.test(following.stdout) && /other \| else/.test(following.stdout),
    )
    await create('all-opener', `steps:\n  - name: a\n    command: touch ${release}\n`)
    await ask('start', 'all-opener')
    expect(await following.code).toBe(0)
    const lines = following.stdout.trimEnd().split('\n')
    expect(lines[0]).toBe('before | done before')
    expect(lines.slice(1, 3).toSorted()).toEqual(['other | else', 'slow | one'])
    expect(lines.slice(3)).toEqual([
      'slow | two',
      expect.stringMatching(/^✗ slow \| failed after .*s: exit status 5$/),
    ])
  })

  test('a reader that closes the pipe early causes no error', async () => {
    const reading = begin(['logs', 'long', '-s', 'count'], here)
    reading.process.stdout?.once('data', () => reading.process.stdout?.destroy())
    expect(await reading.code).toBe(0)
    expect(reading.stderr).toBe('')
  })
})
