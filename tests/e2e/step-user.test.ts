import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startWarden } from '#lib/runner/fencing/warden.ts'
import { makeWorkFolder } from '#lib/privileges/private-folders.ts'
import { stepUserPrefix, useStepUser } from '#lib/privileges/step-identity.ts'
import { resolveStepUser } from '#lib/privileges/step-user.ts'
import { processState } from '#local/postgres/process-state.ts'
import { until } from '#tests/support/until.ts'
import { runnerKit } from './runner-kit.ts'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
if (!isRoot) console.error('SKIPPED: the tests of the step user need root')

describe.skipIf(!isRoot)('steps with their own user', async () => {
  const nobody = { uid: 65_534, gid: 65_534 }
  const kit = await runnerKit()
  chmodSync(kit.folder, 0o711)
  useStepUser(resolveStepUser(String(nobody.uid)))
  afterAll(() => useStepUser(undefined))
  const workDir = join(kit.folder, 'work')
  makeWorkFolder(workDir)
  const secret = join(kit.folder, 'only-root')
  writeFileSync(secret, 'GIVEN=x\n', { mode: 0o600 })
  const jq = join(kit.folder, 'jq')
  writeFileSync(jq, '#!/bin/sh\nid -u\n', { mode: 0o755 })
  kit.runner({ executors: { httpAllow: [], jqPath: jq } })

  const runs = async (...lines: string[]) => {
    const key = await kit.start(lines)
    const run = await kit.finished(key)
    return { run, log: (step: string) => kit.log(key, step) }
  }

  test('run as that user, without groups, capabilities or a way to get them', async () => {
    const { log } = await runs(
      'steps:',
      '  - name: plain',
      '    command: id',
      '  - name: shell',
      '    command: grep -E "^(Uid|Gid|Groups|Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)" /proc/self/status | tr "\\t" " "',
      '  - name: script',
      '    script: |',
      '      echo $(id -u) $HOME $USER $LOGNAME',
    )
    expect(await log('plain')).toMatch(/^uid=65534\(\w+\) gid=65534\(\w+\) groups=65534\(\w+\)\n$/)
    expect((await log('shell')).trim().split(/ ?\n/)).toEqual([
      'Uid: 65534 65534 65534 65534',
      'Gid: 65534 65534 65534 65534',
      'Groups: 65534',
      ...['Inh', 'Prm', 'Eff', 'Amb'].map((name) => `Cap${name}: 0000000000000000`),
      'NoNewPrivs: 1',
    ])
    expect(await log('script')).toMatch(/^65534 \S+ nobody nobody\n$/)
  })

  test('run conditions, commands in backticks and jq as that user, too', async () => {
    const { run, log } = await runs(
      'params: WHO=`id -u`',
      'steps:',
      '  - name: named',
      '    command: echo $WHO `id -u`',
      '    preconditions:',
      '      - condition: test "$(id -u)" = 65534',
      '      - condition: "`id -u`"',
      '        expected: "65534"',
      '  - name: filter',
      '    executor: jq',
      '    command: .',
      '    script: "{}"',
    )
    expect(run.steps).toEqual({ named: 'success', filter: 'success' })
    expect(await log('named')).toBe('65534 65534\n')
    expect(await log('filter')).toBe('65534\n')
  })

  test('have a private working folder, and can read the logs of earlier steps', async () => {
    const { run, log } = await runs(
      'steps:',
      '  - name: one',
      '    id: one',
      '    command: echo said; touch made',
      '    stdout: kept',
      '  - name: two',
      '    command: cat ${one.stdout} kept',
    )
    expect(run.steps).toEqual({ one: 'success', two: 'success' })
    expect(await log('two')).toBe('said\nsaid\n')
    const { uid, mode } = statSync(join(workDir, 'demo'))
    expect([uid, mode & 0o777]).toEqual([nobody.uid, 0o700])
    expect(statSync(join(workDir, 'demo/kept')).uid).toBe(nobody.uid)
    const ours = readdirSync(tmpdir()).filter((name) => /^(step|run)-/.test(name))
    expect(
      ours.filter((name) => statSync(join(tmpdir(), name), { throwIfNoEntry: false })?.uid === 65_534),
    ).toEqual([])
  })

  test.each([
    ['stdout', 'is written', ['steps:', '  - name: one', '    command: echo x', '    stdout: FILE']],
    ['dotenv', 'is read', ['dotenv: [FILE]', 'steps:', '  - name: one', '    command: echo x']],
    ['workingDir', 'is made', ['workingDir: FILE.folder', 'steps:', '  - name: one', '    command: echo x']],
    [
      'secrets',
      'is read',
      [
        'secrets:',
        '  - {name: S, provider: file, key: FILE}',
        'steps:',
        '  - name: one',
        '    command: echo x',
      ],
    ],
  ])('%s: nothing %s without the permission of this user', async (_field, _what, lines) => {
    const before = readFileSync(secret, 'utf8')
    const { run } = await runs(...lines.map((line) => line.replace('FILE', secret)))
    expect(run.status).toBe('failed')
    expect(`${run.error} ${run.errors['one']}`).toMatch(/EACCES|may not be opened by this user/)
    expect(readFileSync(secret, 'utf8')).toBe(before)
    expect(existsSync(`${secret}.folder`)).toBe(false)
  })

  test('get variables of the dynamic loader, which never reach a program with the rights of the service', async () => {
    const { run, log } = await runs(
      'env:',
      '  - LD_DEBUG: files',
      '  - LD_DEBUG_OUTPUT: traces/of',
      '  - LC_ALL: /tmp/none',
      'steps:',
      '  - name: make',
      '    command: mkdir -p traces',
      '  - name: one',
      '    command: printenv LD_DEBUG LC_ALL',
    )
    expect(run.steps).toEqual({ make: 'success', one: 'success' })
    expect(await log('one')).toBe('files\n/tmp/none\n')
    const traces = join(workDir, 'demo/traces')
    const owners = readdirSync(traces).map((name) => statSync(join(traces, name)).uid)
    expect(new Set(owners)).toEqual(new Set([nobody.uid]))
  })

  test('cannot use a container engine without the permission of this user', async () => {
    const folder = join(kit.folder, 'engine')
    mkdirSync(folder, { mode: 0o700 })
    const engine = createServer((_, answer) => answer.end('OK')).listen(join(folder, 'socket'))
    await once(engine, 'listening')
    const { run } = await runs(
      `env: [DOCKER_HOST: 'unix://${folder}/socket']`,
      'steps:',
      '  - name: one',
      '    executor: {type: docker, config: {image: none, pull: never}}',
      '    command: id',
    )
    engine.close()
    expect(run.errors['one']).toContain('EACCES')
  })

  test('are killed with everything that they started, even outside of their process group', async () => {
    const { run, log } = await runs(
      'steps:',
      '  - name: one',
      '    command: setsid sleep 1000 >/dev/null 2>&1 & sleep 1000 & echo $!',
      '    timeoutSec: 1',
    )
    expect(run.steps).toEqual({ one: 'failed' })
    const mark = `${workDir}/demo`
    const left = (): string[] =>
      readdirSync('/proc').filter((pid) => {
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
          return (
            command === 'sleep\x001000\x00' && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
          )
        } catch {
          return false
        }
      })
    await until('nothing is left', () => left().length === 0)
    expect(processState(Number(await log('one')))).not.toBe('running')
  })

  test('are killed by the warden even outside of their process group', async () => {
    const [program = '', ...words] = stepUserPrefix()
    const env = { PATH: '/usr/bin:/bin', DAG_PROCESS_MARK: `${process.pid}.warden.1` }
    const stray = spawn(program, [...words, 'sleep', '1000'], { env, detached: true, stdio: 'ignore' })
    const gone = once(stray, 'exit')
    await until('it is a step', () => statSync(`/proc/${stray.pid}`).uid === nobody.uid)
    const options = { onExpired: () => undefined, onReplaced: () => undefined }
    await startWarden({ owner: 'test', mark: `DAG_PROCESS_MARK=${process.pid}.warden.`, ...options }).close()
    expect(await gone).toEqual([null, 'SIGKILL'])
  })

  test('report a missing program as usual', async () => {
    const { run } = await runs('steps:', '  - name: one', '    command: no-such-program', '    shell: direct')
    expect(run.errors['one']).toBe('no-such-program: command not found')
  })

  test('need a work folder that belongs to this user, and the error says how to fix it', () => {
    const folder = join(kit.folder, 'taken')
    mkdirSync(join(folder, 'full'), { recursive: true })
    expect(() => makeWorkFolder(folder)).toThrow(`chown -R 65534:65534 ${folder}`)
  })
})
