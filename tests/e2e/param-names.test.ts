import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { retryRun } from '#lib/runs/start/retry-run.ts'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const { start, finished, log, db, folder } = kit
kit.runner()

let count = 0

/** A path that exists only if a command of the caller has run. */
const proof = (): string => join(folder, `executed-${++count}`)

/** Every way in which a variable name makes bash or a program run a command, or replaces a command. */
function hostileParams(path: string): Record<string, string> {
  const command = `touch ${path}`
  const script = join(folder, `hostile-${count}.sh`)
  writeFileSync(script, `${command}\n`, { mode: 0o700 })
  const bin = join(folder, `bin-${count}`)
  mkdirSync(bin)
  for (const name of ['ls', 'sh', 'cat'])
    writeFileSync(join(bin, name), `#!/bin/sh\n${command}\n`, { mode: 0o755 })
  return {
    BASH_ENV: `$(${command})`,
    ENV: script,
    SHELLOPTS: 'xtrace',
    PS4: `$(${command})`,
    'BASH_FUNC_ls%%': `() { ${command}; }`,
    PROMPT_COMMAND: command,
    PATH: `${bin}:${process.env['PATH']}`,
    NODE_OPTIONS: `--require ${script}`,
    LD_PRELOAD: script,
    LESSOPEN: `|${command}`,
    GIT_SSH_COMMAND: command,
  }
}

const bash = ['shell: bash', 'steps:', '  - name: work', '    command: ls / >/dev/null; echo "$SIZE"']

describe('names with a meaning for shells and programs have no effect if a caller gives them', () => {
  test('as params of a start, which stay in DAG_PARAMS_JSON', async () => {
    const path = proof()
    const params = JSON.stringify({ ...hostileParams(path), SIZE: 'large' })
    const run = await start([...bash, '  - echo "$DAG_PARAMS_JSON"', '  - echo "[$PS4][${NODE_OPTIONS}]"'], {
      params,
    })
    expect(await finished(run)).toMatchObject({ status: 'success' })
    expect(existsSync(path)).toBe(false)
    expect(await log(run, 'work')).toBe('large\n')
    expect(JSON.parse(await log(run, 'cmd_2'))).toEqual(JSON.parse(params))
    expect(await log(run, 'cmd_3')).not.toContain('touch')
    expect(await log(run, '', 'run')).toContain('params only in DAG_PARAMS_JSON')
    const [row] = await db.sql<{ params: string }[]>`
      select inputs::text as params from millrace.dag_run where run_key = ${run}`
    expect(row?.params).toContain('BASH_ENV')
  })

  test('as keys of an item of parallel, in the child and in its own child', async () => {
    const path = proof()
    const items = JSON.stringify([{ ...hostileParams(path), SIZE: 'small' }])
    const run = await start(
      [
        'steps:',
        '  - name: find',
        `    command: cat ${join(folder, `items-${count}.json`)}`,
        '    output: ITEMS',
        '  - name: fan',
        '    call: child',
        '    parallel: ${ITEMS}',
        '---',
        'name: child',
        'shell: bash',
        'steps:',
        '  - name: work',
        '    command: ls / >/dev/null; echo "$SIZE"',
        '  - name: down',
        '    call: grandchild',
        '    params: ${DAG_PARAMS_JSON}',
        '---',
        'name: grandchild',
        ...bash,
      ],
      (writeFileSync(join(folder, `items-${count}.json`), items), {}),
    )
    expect(await finished(run)).toMatchObject({ status: 'success' })
    expect(existsSync(path)).toBe(false)
    const children = await db.sql<{ run_key: string }[]>`
      select run_key::text as run_key from millrace.dag_run where root_key = ${run} and run_key <> ${run}`
    expect(children).toHaveLength(2)
    for (const child of children) expect(await log(child.run_key, 'work')).toBe('small\n')
  })

  test('in preconditions, handlers, the working folder, and defaults of a params schema', async () => {
    const path = proof()
    const run = await start(
      [
        'params:',
        '  schema:',
        '    properties:',
        '      MADE: {type: string, default: "`bash -c \'ls / >/dev/null; echo built\'`"}',
        'workingDir: "`bash -c \'ls / >/dev/null; echo .\'`"',
        'preconditions:',
        '  - condition: "`bash -c \'ls / >/dev/null; echo yes\'`"',
        '    expected: "yes"',
        'handlerOn:',
        '  exit: {command: bash -c "ls / >/dev/null"}',
        'steps:',
        '  - name: work',
        '    preconditions: [bash -c "ls / >/dev/null"]',
        '    command: bash -c "ls / >/dev/null"; echo "$MADE"',
      ],
      { params: JSON.stringify(hostileParams(path)) },
    )
    expect(await finished(run)).toMatchObject({ status: 'success', steps: { work: 'success' } })
    expect(existsSync(path)).toBe(false)
    expect(await log(run, 'work')).toBe('built\n')
  })

  test('in a retry of a run whose stored inputs contain them', async () => {
    const path = proof()
    const run = await start(bash, { params: JSON.stringify({ ...hostileParams(path), SIZE: 'old' }) })
    await finished(run)
    expect(await retryRun(db, { runKey: run, expectedAttempt: 1, dropSteps: ['work'] })).toBe('retried')
    expect(await finished(run)).toMatchObject({ status: 'success' })
    expect(existsSync(path)).toBe(false)
  })

  test('as names that env, a dotenv file or the machine defines', async () => {
    const work = join(folder, 'dotenv')
    mkdirSync(work)
    writeFileSync(join(work, '.env'), 'KIND=dotenv\n')
    const params = '{"TARGET": "evil", "KIND": "evil", "HOME": "/evil", "DAG_NAME": "evil", "FREE": "free"}'
    const run = await start(
      [
        `workingDir: ${work}`,
        'env: [{TARGET: prod}]',
        'steps:',
        '  - name: show',
        '    command: echo "$TARGET $KIND $HOME $DAG_NAME $FREE"',
      ],
      { params },
    )
    await finished(run)
    expect(await log(run, 'show')).toBe(`prod dotenv ${process.env['HOME']} demo free\n`)
  })
})

test('a declared param reaches the environment, whatever its name', async () => {
  const run = await start(
    ['params: [{LESS: "-R"}]', 'steps:', '  - name: show', '    command: echo "$LESS"'],
    {
      params: 'LESS=-S',
    },
  )
  await finished(run)
  expect(await log(run, 'show')).toBe('-S\n')
})
