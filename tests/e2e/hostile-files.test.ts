import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runnerKit } from './runner-kit.ts'

const kit = await runnerKit()
const { start, finished, log, folder } = kit
const at = (name: string): string => join(folder, name)
mkdirSync(at('wd'))
execFileSync('mkfifo', [at('fifo'), at('wd/fifo')])
symlinkSync(at('loop'), at('loop'))
kit.runner({ slots: 64 })

/** Every kind of path that is not a regular file, and the error for it. */
const kinds: readonly (readonly [path: string, why: string])[] = [
  [at('fifo'), 'is a FIFO'],
  [at('loop'), 'is a link that leads to itself'],
  [at('wd'), 'is a folder'],
  ['/dev/zero', 'is a device'],
  ['/dev/full', 'is a device'],
  ['/dev/tty', 'is a device'],
  ['/dev/stdin', 'is '],
  ['/proc/kmsg', 'is a kernel file'],
  ['/proc/self/mem', 'is a kernel file'],
  ['/proc/self/pagemap', 'is a kernel file'],
]

/** How long ten ordinary runs take that start right after others. */
async function timeBeside(others: readonly string[][]): Promise<{ keys: string[]; ms: number }> {
  const keys = await Promise.all(others.map((lines) => start(lines)))
  const begun = performance.now()
  const good = await Promise.all(Array.from({ length: 10 }, () => start(['steps:', '  - echo normal'])))
  for (const key of good) {
    expect(await finished(key)).toMatchObject({ status: 'success' })
    expect(await log(key, 'cmd_1')).toBe('normal\n')
  }
  const ms = performance.now() - begun
  for (const key of keys) await finished(key)
  return { keys, ms }
}

test('fifty paths that are not regular files fail only their own steps, and delay no other run', async () => {
  const fields = ['stdout', 'stderr']
  const hostile = kinds.flatMap(([path, why]) =>
    [
      ...fields.map((field) => ['steps:', '  - name: a', '    command: echo x', `    ${field}: ${path}`]),
      [`dotenv: ${path}`, 'steps:', '  - name: a', '    command: echo x'],
      [`secrets: [{name: S, provider: file, key: ${path}}]`, 'steps:', '  - name: a', '    command: echo x'],
      [
        'steps:',
        '  - name: a',
        '    executor: {type: ssh, config: {host: h, user: u, strictHostKey: false, key: ' + path + '}}',
        '    command: x',
      ],
    ].map((lines) => ({ lines, path, why })),
  )
  expect(hostile).toHaveLength(50)
  const harmless = hostile.map(() => ['steps:', '  - name: a', '    command: exit 1'])
  let bad: readonly ((typeof hostile)[number] & { readonly key: string })[] = []
  // The machine may be busy once; a file that blocks the runner does so every time.
  let delay = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 3 && delay > 1_000; turn++) {
    const alone = await timeBeside(harmless)
    const beside = await timeBeside(hostile.map(({ lines }) => lines))
    delay = beside.ms - alone.ms
    bad = hostile.map((one, index) => ({ ...one, key: beside.keys[index] ?? '' }))
  }
  expect(delay).toBeLessThan(1_000)
  for (const { key, lines, path, why } of bad) {
    const run = await finished(key)
    const isFolder = path === at('wd') && lines[0]?.startsWith('dotenv') === true
    if (isFolder) continue
    const said = [run.error, ...Object.values(run.errors)].join(' ')
    expect({ lines, status: run.status, said }).toMatchObject({ status: 'failed' })
    expect(said).toContain(path)
    expect(said).toContain(why)
  }
})

test('a step that replaces its log file by a FIFO blocks nobody, and its retry is logged', async () => {
  const key = await start([
    'steps:',
    '  - name: swap',
    '    command: |',
    '      echo before',
    '      rm -f "$DAG_RUN_STEP_STDOUT_FILE" "$DAG_RUN_STEP_STDERR_FILE"',
    '      mkfifo "$DAG_RUN_STEP_STDOUT_FILE"; ln -s /etc/passwd "$DAG_RUN_STEP_STDERR_FILE"',
    '      exit 1',
    '    retryPolicy: {limit: 1, intervalSec: 0}',
    '  - echo after',
  ])
  expect(await finished(key)).toMatchObject({ status: 'failed', steps: { swap: 'failed' } })
  expect(await log(key, 'swap', 'stderr')).not.toContain('root:')
  expect(await log(key, 'swap')).toMatch(/^(before\n)?$/)
})

describe('a value of the caller within a path', () => {
  const run = async (
    field: string,
    text: string,
    value: string,
  ): Promise<{ status: string; error: string }> => {
    const key = await start(
      [
        `workingDir: ${at('wd')}`,
        'params: NAME=usual',
        'steps:',
        '  - name: a',
        '    command: echo x',
        `    ${field}: ${text}`,
      ],
      { params: JSON.stringify({ NAME: value }) },
    )
    const { status, error, errors } = await finished(key)
    return { status, error: `${error} ${errors['a'] ?? ''}` }
  }

  test.each([
    ['stdout', 'logs/${NAME}.log', '../../etc/evil'],
    ['stdout', 'logs/$NAME', '../../../../../../etc/evil'],
    ['stdout', '${NAME}', '/etc/evil'],
    ['stdout', '$NAME/x.log', '..'],
    ['stderr', 'logs/pre-${NAME}.log', 'x/../../../evil'],
    ['stderr', '${NAME:0:40}', '/etc/evil'],
    ['workingDir', '/srv/${NAME}', '../etc'],
    ['workingDir', '$NAME', '/etc'],
    ['workingDir', 'sub/$NAME', '../..'],
  ])('cannot leave the folder: %s: %s with %j', async (field, text, value) => {
    expect(await run(field, text, value)).toEqual({
      status: 'failed',
      error: expect.stringMatching(new RegExp(`${field}: .* is outside of `)) as string,
    })
  })

  test('cannot leave the folder through a link in it', async () => {
    mkdirSync(at('wd/links'), { recursive: true })
    symlinkSync('/tmp', at('wd/links/out'))
    expect(await run('stdout', 'links/${NAME}.log', 'out/climbed')).toMatchObject({ status: 'failed' })
    expect(await run('workingDir', 'links/${NAME}', 'out/climbed')).toMatchObject({ status: 'failed' })
  })

  test('may name any file within the folder', async () => {
    expect(await run('stdout', 'logs/${NAME}.log', 'deep/../nested/own')).toMatchObject({ status: 'success' })
    expect(readFileSync(at('wd/logs/nested/own.log'), 'utf8')).toBe('x\n')
  })

  test('is restricted as well through the env of a step, an output or a default', async () => {
    const spec = (lines: string[]): string[] => [`workingDir: ${at('wd')}`, ...lines]
    const params = { params: '{"NAME":"../../evil"}' }
    const byEnv = await start(
      spec([
        'params: NAME=usual',
        'steps:',
        '  - name: a',
        '    command: echo x',
        '    env: [P: "logs/$NAME"]',
        '    stdout: ${P}',
      ]),
      params,
    )
    const byDefault = await start(
      spec([
        'params: NAME=usual P=logs/$NAME',
        'steps:',
        '  - name: a',
        '    command: echo x',
        '    stdout: ${P}',
      ]),
      params,
    )
    const byOutput = await start(
      spec([
        'steps:',
        '  - name: o',
        '    command: echo /etc/evil',
        '    output: P',
        '  - name: a',
        '    command: echo x',
        '    stdout: ${P}',
      ]),
    )
    for (const key of [byEnv, byDefault, byOutput]) {
      expect((await finished(key)).errors['a']).toContain('is outside of ')
    }
  })

  test('does not restrict what the author wrote in the text, the env or a default', async () => {
    const key = await start(
      [
        `workingDir: ${at('wd')}`,
        `env: [PLACE: ${at('elsewhere')}]`,
        `params: [FILE: "$PLACE/by-default", OTHER: x]`,
        'steps:',
        '  - name: a',
        '    command: echo x',
        '    stdout: ${PLACE}/by-env',
        '  - name: b',
        '    command: echo x',
        '    stdout: ${FILE}',
        '  - name: c',
        '    command: echo x',
        '    stdout: $PLACE/$OTHER.log',
      ],
      { params: '{"OTHER":"given"}' },
    )
    expect(await finished(key)).toMatchObject({ status: 'success', errors: {} })
    for (const name of ['by-env', 'by-default', 'given.log'])
      expect(readFileSync(at(`elsewhere/${name}`), 'utf8')).toBe('x\n')
  })
})

test('with file roots set, a DAG may use files and working directories only within them', async () => {
  const roots = [at('allowed'), at('work')]
  const fileBounds = [{ folders: roots, fault: 'is outside of the folders of MILLRACE_FILE_ROOTS' }]
  const settings = { httpAllow: [], jqPath: undefined, fileBounds }
  kit.runner({ labels: { bounded: 'yes' }, fileBounds, executors: settings })
  mkdirSync(at('allowed'))
  symlinkSync(at('wd'), at('allowed/out'))
  const outcome = async (lines: string[]): Promise<string> => {
    const key = await start(['workerSelector: {bounded: yes}', ...lines])
    const { error, errors } = await finished(key)
    return [error, ...Object.values(errors)].join(' ')
  }
  const step = ['steps:', '  - name: a', '    command: echo x']
  const refused: readonly (readonly [path: string, lines: string[]])[] = [
    ['/var/log/x.log', [...step, '    stdout: /var/log/x.log']],
    [at('allowed/out/x'), [...step, `    stderr: ${at('allowed/out/x')}`]],
    [at('allowed/../x'), [...step, `    stdout: ${at('allowed/../x')}`]],
    [at('wd'), [`workingDir: ${at('wd')}`, ...step]],
    [at('allowed/out'), [...step, `    workingDir: ${at('allowed/out')}`]],
    ['/etc/hostname', ['dotenv: /etc/hostname', ...step]],
    ['/etc/hostname', ['secrets: [{name: S, provider: file, key: /etc/hostname}]', ...step]],
    [
      '/etc/hostname',
      [
        'steps:',
        '  - name: a',
        '    executor: {type: ssh, config: {host: h, user: u, key: /etc/hostname, strictHostKey: false}}',
        '    command: x',
      ],
    ],
  ]
  for (const [path, lines] of refused) {
    const said = await outcome(lines)
    expect(said).toContain('is outside of the folders of MILLRACE_FILE_ROOTS')
    expect(said).toContain(join(path, '.'))
  }
  expect(await outcome([...step, '    stdout: plain.log'])).toBe('')
  expect(await outcome([...step, `    stdout: ${at('allowed/new/x.log')}`])).toBe('')
})
