import { describe, expect, test } from 'vitest'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const { start, finished, log, printed, db, folder } = kit
kit.runner()

describe('a run', () => {
  test('runs its steps in order and keeps their output', async () => {
    const run = await start(['steps:', '  - echo apple', '  - echo pear >&2; echo plum'])
    expect(await finished(run)).toEqual({
      status: 'success',
      error: '',
      steps: { cmd_1: 'success', cmd_2: 'success' },
      errors: {},
    })
    expect(await log(run, 'cmd_1')).toBe('apple\n')
    expect(await log(run, 'cmd_2', 'stderr')).toBe('pear\n')
    const lines = (await log(run, '', 'run')).split('\n')
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z run run-\d+ of demo claimed by runner /)
    expect(lines.some((line) => line.endsWith('step "cmd_1" success'))).toBe(true)
    expect(lines.at(-2)).toMatch(/run ended: success$/)
  })

  test('fails when a step fails, and does not run the next steps', async () => {
    const run = await start([
      'steps:',
      '  - name: bad',
      '    command: echo partial && exit 7',
      '  - echo never',
    ])
    expect(await finished(run)).toMatchObject({
      status: 'failed',
      steps: { bad: 'failed', cmd_2: 'cancelled' },
    })
    expect(await log(run, 'bad')).toBe('partial\n')
  })

  test('survives values that PostgreSQL cannot store', async () => {
    const odd = { params: '{"A":"x\\u0000y","B":"\\ud800"}' }
    const run = await start(['steps:', '  - echo "$A"', "  - printf 'a\\0b'"], odd)
    expect(await finished(run)).toMatchObject({ status: 'success' })
    expect(await log(run, 'cmd_1')).toBe('xy\n')
  })

  test('passes params, env, outputs and JSON paths to its steps as values', async () => {
    const run = await start(
      [
        'env:',
        '  - BASE: /srv',
        '  - DEEP: ${BASE}/deep',
        'params: "WHO=nobody WHERE=`echo here`"',
        'steps:',
        '  - name: make',
        '    command: |',
        '      echo \'{"box": {"w": 30, "label": "a b"}}\'',
        '    output: DOC',
        '  - name: use',
        '    command: echo "$WHO $WHERE $DEEP ${DOC.box.w} ${DOC.box.label} [$1] $DAG_NAME $DAG_RUN_STEP_NAME"',
      ],
      { params: '{"WHO":"$(echo injected)"}' },
    )
    expect((await finished(run)).status).toBe('success')
    expect(await log(run, 'use')).toBe('$(echo injected) here /srv/deep 30 a b [] demo use\n')
  })

  test('logs all tries of a step in one log, and tells handlers the outcome', async () => {
    const run = await start([
      'handlerOn:',
      '  failure:',
      '    command: echo on $DAG_RUN_STATUS',
      '  exit:',
      '    command: echo bye $DAG_RUN_STATUS',
      'steps:',
      '  - name: flaky',
      '    command: echo try; exit 3',
      '    retryPolicy: {limit: 2, intervalSec: 0}',
    ])
    expect(await finished(run)).toMatchObject({
      status: 'failed',
      steps: { flaky: 'failed', onFailure: 'success', onExit: 'success' },
      errors: { flaky: 'exit status 3' },
    })
    expect(await log(run, 'flaky')).toBe('try\ntry\ntry\n')
    const [row] = await db.sql<{ tries: { number: number; startedAt: number; finishedAt: number }[] }[]>`
      select tries from millrace.dag_run_step where run_key = ${run} and name = 'flaky'`
    const expected = { attempt: 1, exitCode: 3, error: 'exit status 3' }
    expect(row?.tries).toMatchObject([
      { ...expected, number: 1 },
      { ...expected, number: 2, logLine: 2 },
      { ...expected, number: 3, logLine: 3 },
    ])
    for (const { startedAt, finishedAt } of row?.tries ?? [])
      expect(finishedAt).toBeGreaterThanOrEqual(startedAt)
    expect(await log(run, 'onFailure')).toBe('on failed\n')
    expect(await log(run, 'onExit')).toBe('bye failed\n')
  })

  test('skips steps whose preconditions are not met, with the reason', async () => {
    const run = await start([
      'type: graph',
      'steps:',
      '  - {name: go, command: echo go, preconditions: [{condition: "`echo yes`", expected: "re:^y"}]}',
      '  - {name: no, command: echo no, preconditions: [{condition: "exit 4"}]}',
    ])
    expect(await finished(run)).toMatchObject({ status: 'success', steps: { go: 'success', no: 'skipped' } })
    const [row] =
      await db.sql`select conditions from millrace.dag_run_step where run_key = ${run} and name = 'no'`
    expect(row?.['conditions']).toEqual([{ met: false, error: 'condition was not met: exit status 4' }])
  })

  test('repeats a step until its condition holds', async () => {
    const run = await start([
      'steps:',
      '  - name: count',
      `    command: echo x >> ${folder}/count; wc -l < ${folder}/count`,
      '    output: N',
      '    repeatPolicy: {repeat: until, condition: "${N}", expected: "3", intervalSec: 0}',
    ])
    expect((await finished(run)).status).toBe('success')
    expect(await log(run, 'count')).toBe('1\n2\n3\n')
  })

  test('resolves references to the output files and the exit code of another step', async () => {
    const run = await start([
      'steps:',
      '  - {name: write it, id: writer, command: "echo chestnut; echo moan >&2; exit 4", continueOn: {failure: true}}',
      '  - {name: read it, command: "cat ${writer.stdout} ${writer.stderr}; echo ${writer.exit_code}"}',
      '  - {name: probe, shell: sh, command: "echo \'${nobody.stdout}\'"}',
    ])
    expect((await finished(run)).status).toBe('partial_success')
    expect(await log(run, 'read it')).toBe('chestnut\nmoan\n4\n')
    expect(await log(run, 'probe')).toBe('${nobody.stdout}\n')
  })

  test('copies stdout and stderr to files, relative to the working directory', async () => {
    const run = await start([
      `workingDir: ${folder}/deep/er`,
      'steps:',
      '  - {name: write, command: "echo good; echo bad >&2", stdout: o.txt, stderr: sub/e.txt}',
      '  - {name: read, command: "pwd; cat o.txt sub/e.txt"}',
    ])
    expect((await finished(run)).status).toBe('success')
    expect(await log(run, 'write')).toBe('good\n')
    expect(await log(run, 'read')).toBe(`${folder}/deep/er\ngood\nbad\n`)
  })

  test('fails a step whose output is too large, with the limit', async () => {
    const run = await start([
      'maxOutputSize: 1000',
      'steps:',
      '  - {name: big, command: "seq 1 1000", output: BIG}',
    ])
    expect(await finished(run)).toMatchObject({
      status: 'failed',
      errors: { big: 'failed to capture output: output exceeded maximum size limit of 1000 bytes' },
    })
  })

  test('fails with the reason, and runs no step, if it cannot be prepared', async () => {
    const run = await start(['env:', '  - A: "`exit 3`"', 'steps:', '  - echo never'])
    expect(await finished(run)).toMatchObject({ status: 'failed', steps: {} })
    expect((await log(run, '', 'run')).split('\n').at(-2)).toContain('command substitution `exit 3` failed')
  })
})

describe('time limits and stops', () => {
  test('a step that exceeds its time limit fails, with everything that it started', async () => {
    const run = await start(['steps:', '  - {name: long, command: "sleep 20; echo never", timeoutSec: 1}'])
    expect(await finished(run)).toMatchObject({
      status: 'failed',
      errors: { long: 'step timed out after 1s' },
    })
  })

  test('a run that exceeds its time limit fails, and its handlers run', async () => {
    const run = await start([
      'timeoutSec: 1',
      'handlerOn:',
      '  failure: {command: echo handled}',
      'steps:',
      '  - {name: family, command: echo begun; sleep 15; echo never}',
      '  - echo never',
    ])
    expect(await finished(run)).toMatchObject({
      status: 'failed',
      steps: { family: 'cancelled', cmd_2: 'cancelled', onFailure: 'success' },
    })
  })

  test('a stop cancels the running step, and cancel and exit handlers run', async () => {
    const run = await start([
      'handlerOn:',
      '  cancel: {command: echo cancel ran}',
      '  exit: {command: echo exit ran $DAG_RUN_STATUS}',
      'steps:',
      '  - {name: long, command: "echo ready; exec sleep 30"}',
      '  - echo never',
    ])
    await printed(run, 'long', 'ready')
    await db.sql`select millrace.stop_run(${run}::bigint)`
    expect(await finished(run)).toEqual({
      status: 'cancelled',
      error: 'stopped',
      steps: { long: 'cancelled', onCancel: 'success', onExit: 'success' },
      errors: { long: 'signal: terminated' },
    })
    expect(await log(run, 'onExit')).toBe('exit ran aborted\n')
  })

  test('a cancel handler survives the stop that started it, but not the next one', async () => {
    const run = await start([
      'handlerOn:',
      '  cancel: {command: "echo tidying; exec sleep 30"}',
      '  exit: {command: echo exit ran}',
      'steps:',
      '  - {name: long, command: "echo ready; exec sleep 30"}',
    ])
    await printed(run, 'long', 'ready')
    await db.sql`select millrace.stop_run(${run}::bigint)`
    await printed(run, 'onCancel', 'tidying')
    const [before] = await db.sql`
      select status, phase from millrace.dag_run_step where run_key = ${run} and name = 'onCancel'`
    expect(before).toEqual({ status: 'running', phase: 'executing' })
    await db.sql`select millrace.stop_run(${run}::bigint)`
    expect(await finished(run)).toMatchObject({
      status: 'cancelled',
      steps: { long: 'cancelled', onCancel: 'cancelled', onExit: 'success' },
    })
  })
})

describe('secrets', () => {
  test('reach steps, but no log, no output and no error', async () => {
    process.env['RUNNER_E2E_TOKEN'] = 's3cret-token'
    const runner = kit.runner({ environment: process.env, labels: { keeps: 'secrets' } })
    const run = await start([
      'workerSelector: {keeps: secrets}',
      'secrets:',
      '  - {name: TOKEN, provider: env, key: RUNNER_E2E_TOKEN}',
      'steps:',
      '  - name: show',
      '    command: test "$TOKEN" = "s3cret-""token" && echo "<$TOKEN>" && echo "$TOKEN" >&2; exit 3',
      '    output: OUT',
    ])
    expect(await finished(run)).toMatchObject({
      errors: { show: 'exit status 3\nrecent stderr (tail):\n*******' },
    })
    expect(await log(run, 'show')).toBe('<*******>\n')
    const [row] = await db.sql`
      select s.outputs, r.inputs from millrace.dag_run_step s join millrace.dag_run r using (run_key)
      where run_key = ${run}`
    expect(row?.['outputs']).toEqual({ OUT: '<*******>' })
    expect(JSON.stringify(row)).not.toContain('s3cret')
    await runner.stop()
  })

  test('the environment of a step contains nothing of the service', async () => {
    process.env['DATABASE_URL'] = 'postgres://never'
    const run = await start(['steps:', '  - {name: env, command: env}'])
    await finished(run)
    expect(await log(run, 'env')).not.toMatch(/postgres|DATABASE_URL|MILLRACE/)
  })
})
