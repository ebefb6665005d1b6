import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { begin, documents, millrace } from '#tests/support/command-line.ts'
import { dataFolder, startServer } from '#tests/support/server.ts'
import { until } from '#tests/support/until.ts'

const run = promisify(execFile)
const data = dataFolder()
const server = await startServer(data.path, { MILLRACE_LOG_LEVEL: 'silent' })
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

/** The id of a run that goes on until the file is there. */
async function startHeld(name: string): Promise<{ id: string; release: string }> {
  const release = `${data.path}/${name}`
  await create(name, `steps:\n  - name: hold\n    command: until [ -e ${release} ]; do sleep 0.05; done\n`)
  const { stdout } = await ask('start', name)
  await until('it runs', async () => (await ask('ps')).stdout.includes(`${stdout.trim()}  running`))
  return { id: stdout.trim(), release }
}

describe('start', () => {
  test('prints the id, which may be chosen', async () => {
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
  ])('params reach the run as they stand: %j', async (params, greeting) => {
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

  test('--wait ends with the code of the run, and says what went wrong', async () => {
    await create('sound', 'steps:\n  - name: a\n    command: "true"\n')
    await create('broken', 'steps:\n  - name: a\n    command: exit 7\n')
    const first = '  - name: a\n    command: "false"\n    continueOn: {failure: true}\n'
    await create('in-part', `steps:\n${first}  - name: b\n    command: "true"\n    depends: a\n`)
    expect(await ask('start', 'sound', '--wait')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sound \S+ finished after \d+ s\n$/) as string,
      stderr: '',
    })
    const failed = await ask('start', 'broken', '--wait')
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(/^broken \S+ failed after \d+ s\n {2}step a failed: exit status 7\n$/)
    const part = await ask('start', 'in-part', '--wait', '--json')
    expect(part.code).toBe(4)
    expect(documents<Run>(part.stdout)).toMatchObject([{ name: 'in-part', statusLabel: 'partial success' }])
  })

  test('--wait of a run that is stopped ends with code 3', async () => {
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

  test('a DAG whose file gives it another name is waited for and found', async () => {
    await create('filed', 'name: called\nsteps:\n  - name: a\n    command: echo filed\n')
    expect(await ask('start', 'filed', '--wait')).toMatchObject({ code: 0 })
    expect((await ask('logs', 'filed', '-s', 'a')).stdout).toBe('filed\n')
    expect((await ask('logs', 'called', '-s', 'a')).stdout).toBe('filed\n')
  })

  test('logs of the runs that a run has started are found by the ids that its status tells', async () => {
    await create('leaf', 'steps:\n  - name: say\n    command: echo "leaf $1"\n')
    await create('middle', 'steps:\n  - name: down\n    run: leaf\n    params: green\n')
    await create('above', 'steps:\n  - name: call\n    run: middle\n')
    expect(await ask('start', 'above', '--run-id', 'top', '--wait')).toMatchObject({ code: 0 })
    const childIn = (stdout: string): string => /^ {4}\w+ (\S+) finished$/m.exec(stdout)?.[1] ?? stdout
    const middle = childIn((await ask('status', 'above')).stdout)
    const leaf = childIn((await ask('status', 'above', 'top', '--child', middle)).stdout)
    const below = ['logs', 'above', 'top', '--child', leaf]
    expect((await ask(...below, '--step', 'say')).stdout).toBe('leaf green\n')
    expect((await ask(...below, '--step', 'say', '--stderr')).stdout).toBe('')
    expect((await ask(...below)).stdout).toContain('say')
    expect(await ask('logs', 'above', '--child', 'none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('child run of above "none" not found') as string,
    })
  })

  test.skipIf(!existsSync('/usr/bin/script'))('how far it has come is told to a terminal only', async () => {
    const line = `${process.execPath} local/millrace.ts start shop-report --wait`
    const { stdout } = await run('script', ['-qec', line, '/dev/null'], { env: { ...process.env, ...here } })
    const told = stdout.split('\r\u001B[K')
    expect(told[0]).toMatch(/^shop-report: \d of 5 steps/)
    expect(told.at(-1)).toMatch(/^shop-report \S+ finished after \d+ s\r\n$/)
  })

  test('a DAG that is not there, a service that is not there', async () => {
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

describe('what is under way', () => {
  test('ps lists it; stop --all ends it; an enqueued run is taken from its queue', async () => {
    const { id } = await startHeld('held')
    const queued = (await ask('enqueue', 'held')).stdout.trim()
    const rows = documents<Run>((await ask('ps', '--json')).stdout)
    expect(rows.map(({ dagRunId, statusLabel }) => [dagRunId, statusLabel])).toEqual([
      [id, 'running'],
      [queued, 'queued'],
    ])
    expect((await ask('stop', 'held', queued)).stdout).toBe(`held ${queued} is taken from its queue\n`)
    expect(await ask('stop', 'held', '--all')).toMatchObject({ code: 0 })
    await until('nothing runs', async () => (await ask('ps')).stdout === 'nothing is under way\n')
    expect(await ask('stop', 'held', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(id) as string,
    })
  })

  test('retry runs again what has failed, or the whole under another id', async () => {
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

describe('what has been', () => {
  test('status tells a run with its steps, or all DAGs', async () => {
    await create(
      'told',
      'steps:\n  - name: fine\n    command: "true"\n  - name: wrong\n    command: exit 3\n',
    )
    await ask('start', 'told', '--run-id', 'once', '--wait')
    const { stdout } = await ask('status', 'told')
    expect(stdout).toMatch(/^told once failed, started \S+Z, took \d+ s\n/)
    expect(stdout).toMatch(/^ {2}fine {3}finished/m)
    expect(stdout).toMatch(/^ {2}wrong {2}failed .*3/m)
    expect(documents((await ask('status', 'told', 'once', '--json')).stdout)).toMatchObject([
      { dagRunId: 'once', status: 2, reasons: [{}] },
    ])
    const all = (await ask('status')).stdout
    expect(all).toMatch(/^DAG +LATEST +STARTED +SCHEDULE +FAULTS\n/)
    expect(all).toMatch(/^told +failed /m)
    expect(all).toMatch(/^disk-watch .*CRON_TZ=UTC 30 5 \* \* \*$/m)
  })

  test('history is newest first, of a DAG or of all, of a status, and so long', async () => {
    for (const id of ['h1', 'h2', 'h3'])
      await ask('start', 'unsteady-service', '--run-id', id, '--', 'FAILURES=9')
    await until('they failed', async () => {
      const failed = await ask('history', 'unsteady-service', '--status', 'failed', '--json')
      return documents(failed.stdout).length === 3
    })
    const two = documents<Run>((await ask('history', 'unsteady-service', '-n', '2', '--json')).stdout)
    expect(two.map(({ dagRunId }) => dagRunId)).toEqual(['h3', 'h2'])
    expect((await ask('history', 'unsteady-service', '--status', 'success')).stdout).toBe('no runs\n')
    expect((await ask('history', '--limit', '1')).stdout).toMatch(
      /^unsteady-service +h3 +failed .*FAILURES=9$/m,
    )
  }, 60_000)

  test('logs print the run, a step, its errors, its end, and as JSON', async () => {
    const lines = 'for n in 1 2 3; do echo line $n; done; echo wrong >&2'
    await create(
      'loud',
      `steps:\n  - name: a\n    command: ${lines}\n  - name: silent\n    command: "true"\n`,
    )
    await ask('start', 'loud', '--wait')
    expect((await ask('logs', 'loud')).stdout).toMatch(/step "a" started/)
    expect((await ask('logs', 'loud', '-s', 'a')).stdout).toBe('line 1\nline 2\nline 3\n')
    expect((await ask('logs', 'loud', 'latest', '-s', 'a', '--tail', '1')).stdout).toBe('line 3\n')
    expect((await ask('logs', 'loud', '-s', 'a', '--stderr')).stdout).toBe('wrong\n')
    expect((await ask('logs', 'loud', '-s', 'silent')).stdout).toBe('')
    expect(documents((await ask('logs', 'loud', '-s', 'a', '--json')).stdout)).toEqual([
      { line: 'line 1' },
      { line: 'line 2' },
      { line: 'line 3' },
    ])
    expect(await ask('logs', 'loud', '-s', 'nope')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"nope"') as string,
    })
  })

  test('a log of more lines than one answer holds is whole', async () => {
    await create('long', 'steps:\n  - name: count\n    command: seq 1 25000\n')
    await ask('start', 'long', '--wait')
    const { stdout } = await ask('logs', 'long', '-s', 'count')
    expect(stdout).toBe(Array.from({ length: 25_000 }, (_, n) => `${n + 1}\n`).join(''))
  })

  test('logs --follow goes on until the end', async () => {
    const release = `${data.path}/follow`
    const wait = `until [ -e ${release} ]; do sleep 0.05; done`
    await create('followed', `steps:\n  - name: a\n    command: echo one; ${wait}; echo two\n`)
    await ask('start', 'followed')
    const following = begin(['logs', 'followed', '-f', '-s', 'a'], here)
    await until('the first line is told', () => following.stdout === 'one\n')
    await create('opener', `steps:\n  - name: a\n    command: touch ${release}\n`)
    await ask('start', 'opener')
    expect(await following.code).toBe(0)
    expect(following.stdout).toBe('one\ntwo\n')
    expect(following.stderr).toBe('')
  })

  test('who reads only the head of an answer is no failure', async () => {
    const reading = begin(['logs', 'long', '-s', 'count'], here)
    reading.process.stdout?.once('data', () => reading.process.stdout?.destroy())
    expect(await reading.code).toBe(0)
    expect(reading.stderr).toBe('')
  })
})
