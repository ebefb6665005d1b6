import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readFilter } from '#lib/executors/jq/filter.ts'
import { jqExecutor } from '#lib/executors/jq/run.ts'
import { stepContext } from '../step-context.ts'

const input = '{"crew": [{"name": "Nemo", "age": 52}, {"name": "Ned", "age": 40}]}'

async function filtered(filter: string, given: Parameters<typeof stepContext>[0] = {}) {
  const { context, stdout, stderr } = stepContext({ commands: [filter], script: input, ...given })
  return { outcome: await jqExecutor.run(context), stdout: stdout(), stderr: stderr() }
}

const good = { exitCode: 0, error: '' }

describe('results', () => {
  test('objects are printed on several lines, strings in quotes', async () => {
    expect(await filtered('.crew[1]')).toEqual({
      outcome: good,
      stdout: '{\n    "name": "Ned",\n    "age": 40\n}\n',
      stderr: '',
    })
    expect((await filtered('.crew[].name')).stdout).toBe('"Nemo"\n"Ned"\n')
  })

  test('strings are printed without quotes with raw', async () => {
    expect((await filtered('.crew[].name', { config: { raw: true } })).stdout).toBe('Nemo\nNed\n')
  })

  test('non-ASCII text is preserved', async () => {
    expect((await filtered('.', { script: '"smørrebrød 🥐"' })).stdout).toBe('"smørrebrød 🥐"\n')
  })
})

describe('a filter that begins with a dash', () => {
  test('is a filter', async () => {
    expect((await filtered('-.crew[0].age')).stdout).toBe('-52\n')
  })

  test.each(['--help', '--debug-dump-disasm', '-n', '--build-configuration', '--'])(
    '%s is not an option',
    async (filter) => {
      const { outcome, stdout } = await filtered(filter)
      expect([outcome.exitCode, stdout]).toEqual([3, ''])
      expect(outcome.error).toMatch(/\d compile errors?$/)
    },
  )
})

describe('failures', () => {
  test('an error of the filter fails the step', async () => {
    const { outcome, stderr } = await filtered('.crew | error("no \\(length)")')
    expect(outcome).toEqual({ exitCode: 5, error: 'jq: error (at inputString:0): no 2' })
    expect(stderr).toContain('no 2')
  })

  test('input that is not JSON fails the step', async () => {
    const { outcome } = await filtered('.', { script: 'this is not json' })
    expect(outcome.exitCode).toBe(5)
    expect(outcome.error).toContain('parse error')
  })

  test('a filter with a syntax error fails the step', async () => {
    expect((await filtered('.crew |')).outcome.error).toContain('syntax error')
  })

  test('a filter has neither modules nor the environment', async () => {
    expect((await filtered('import "a" as a; .')).outcome.error).toContain('module not found')
    expect((await filtered('env.FRUIT', { env: { FRUIT: 'fig' } })).stdout).toBe('null\n')
  })
})

describe('limits', () => {
  test('a filter that never ends can be stopped', async () => {
    const { context, controller } = stepContext({ commands: ['def f: f; f'], script: '1' })
    const running = jqExecutor.run(context)
    controller.abort('stopped')
    expect(await running).toEqual({ exitCode: 1, error: 'jq was stopped' })
  })

  test('a filter that eats memory fails the step', async () => {
    const { outcome } = await filtered('[range(1e9)] | length', { script: '1' })
    expect(outcome.exitCode).toBeGreaterThan(0)
  })

  test.each(['.', 'debug | empty'])('a filter that writes without end fails the step: %j', async (rest) => {
    const { outcome } = await filtered(`repeat("${'x'.repeat(200)}") | ${rest}`, { script: 'null' })
    expect(outcome).toEqual({ exitCode: 5, error: 'the filter writes more than 16777216 bytes' })
  })
})

describe('variables', () => {
  const env = { NAME: 'Ned" | halt #', N: '2', FIELD: 'age' }

  test('arrive as values, whatever characters they contain', async () => {
    const { stdout } = await filtered('"<${NAME}> \\($NAME)", $NAME', { env, script: '1' })
    expect(stdout).toBe('"<Ned\\" | halt #> Ned\\" | halt #"\n"Ned\\" | halt #"\n')
    expect((await filtered('.crew[0][$FIELD] + ($N|tonumber)', { env })).stdout).toBe('54\n')
  })

  test('do not replace names that the filter defines', () => {
    expect(readFilter('. as $x | "\\($x) $y ${NAME} \\("in $N" | $N)"', env)).toEqual({
      filter: '. as $x | "\\($x) $y \\($NAME) \\("in \\($N)" | $N)"',
      args: { NAME: env.NAME, N: '2' },
    })
  })
})

test.runIf(existsSync('/usr/bin/jq'))(
  'a jq program named by the deployment gives the same results',
  async () => {
    const settings = { httpAllow: [], jqPath: '/usr/bin/jq' }
    const env = { NAME: 'Ned' }
    expect((await filtered('.crew[] | select(.name == $NAME)', { settings, env })).stdout).toBe(
      '{\n    "name": "Ned",\n    "age": 40\n}\n',
    )
    expect((await filtered('error("boo")', { settings, script: '1' })).outcome.exitCode).toBe(5)
  },
)

test('a run runs few filters at the same time, without delaying other runs', async () => {
  const ofRun = (runKey: string, filter: string) => {
    const run = { owner: 'test', runKey, runId: 'r', dagName: 'd', token: '1', atEnd: () => undefined }
    const { context, controller } = stepContext({ commands: [filter], script: input, run })
    return { outcome: jqExecutor.run(context), controller }
  }
  const endless = [ofRun('1', 'def f: f; f'), ofRun('1', 'def f: f; f')]
  const waiting = ofRun('1', '.')
  const stopped = ofRun('1', '.')
  let isOver = false
  void waiting.outcome.then(() => {
    isOver = true
  })
  for (let turn = 0; turn < 3; turn++) expect((await ofRun('2', '.').outcome).exitCode).toBe(0)
  expect(isOver).toBe(false)
  stopped.controller.abort('stopped')
  expect((await stopped.outcome).exitCode).toBe(1)
  endless[0]?.controller.abort('stopped')
  expect(await waiting.outcome).toEqual(good)
  endless[1]?.controller.abort('stopped')
  await Promise.all(endless.map(({ outcome }) => outcome))
})

test('filters of many runs together have a limit of memory', async () => {
  const hungry = Array.from({ length: 12 }, (_, index) => {
    const run = {
      owner: 'test',
      runKey: `m${index}`,
      runId: 'r',
      dagName: 'd',
      token: '1',
      atEnd: () => undefined,
    }
    const { context, controller } = stepContext({
      commands: ['(reduce range(26) as $i ("x"; . + .)) as $x | (def f: f; f) | $x'],
      script: input,
      run,
    })
    return { outcome: jqExecutor.run(context), controller }
  })
  // Each needs more than 100 MiB and holds it until it is stopped.
  const first = await Promise.race(hungry.map(({ outcome }) => outcome))
  expect(first.error).toContain('cannot allocate memory')
  for (const { controller } of hungry) controller.abort('stopped')
  await Promise.all(hungry.map(({ outcome }) => outcome))
  expect((await filtered('reduce range(26) as $i ("x"; . + .) | length')).stdout).toBe('67108864\n')
})
