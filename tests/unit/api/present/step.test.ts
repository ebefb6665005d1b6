import { expect, test } from 'vitest'
import { presentPreconditions, presentStep } from '#lib/api/present/step.ts'
import type { Step } from '#lib/definition/definition.ts'

const plain: Step = {
  name: 's',
  id: undefined,
  description: '',
  dependsOn: [],
  executor: { type: 'shell', config: {} },
  commands: [],
  script: undefined,
  shell: undefined,
  workingDir: undefined,
  env: [],
  preconditions: [],
  continueOn: { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false },
  retryPolicy: undefined,
  repeatPolicy: undefined,
  output: undefined,
  stdout: undefined,
  stderr: undefined,
  logOutput: undefined,
  signalOnStop: 'SIGTERM',
  timeoutSec: 0,
  mailOnError: false,
  child: undefined,
  workerSelector: {},
}

test.each([
  ['echo hello', 'echo', ['hello']],
  ['sh -c "echo bye; echo oops >&2"', 'sh', ['-c', 'echo bye; echo oops >&2']],
  ["printf '%s\\n' a", 'printf', ['%s\\n', 'a']],
  ['  spaced   out ', 'spaced', ['out']],
  ['"', '"', []],
  ['one\ntwo', 'one\ntwo', []],
  ['', '', []],
])('the command %j is shown as a program and its arguments', (line, command, args) => {
  expect(presentStep({ ...plain, commands: [line] })).toMatchObject({ command, args })
})

test('a step without a command shows an empty one, and a step with several lists them all', () => {
  expect(presentStep({ ...plain, script: 'x' })).toMatchObject({ command: '', args: [], script: 'x' })
  expect(presentStep(plain)).not.toHaveProperty('commands')
  expect(presentStep({ ...plain, commands: ['a b', 'c'] }).commands).toEqual([
    { command: 'a', args: ['b'] },
    { command: 'c', args: [] },
  ])
})

test('a precondition shows why it was not met', () => {
  const conditions = [
    { condition: 'a', expected: undefined, negate: false },
    { condition: 'b', expected: '1', negate: true },
  ]
  expect(presentPreconditions(conditions, [{ met: false, error: 'no a' }])).toEqual([
    { condition: 'a', expected: '', error: 'no a' },
    { condition: 'b', expected: '1', negate: true, error: '' },
  ])
})
