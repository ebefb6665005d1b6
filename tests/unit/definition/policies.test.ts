import { describe, expect, it } from 'vitest'
import { stepFaults, stepOf } from './spec-reading.ts'

describe('retryPolicy', () => {
  const plain = { limit: 2, intervalSec: 5, exitCodes: [], backoff: 1, maxIntervalSec: undefined }

  it.each<[string, object]>([
    ['{limit: 2, intervalSec: 5}', plain],
    ['{limit: "2", intervalSec: "5"}', plain],
    ['{limit: 2, interval: 5}', plain],
    ['{limit: 0, intervalSec: 0}', { ...plain, limit: 0, intervalSec: 0 }],
    ['{limit: 2, intervalSec: 5, exitCode: [1, "2", -3]}', { ...plain, exitCodes: [1, 2, -3] }],
    ['{limit: 2, intervalSec: 5, exitCode: 7}', { ...plain, exitCodes: [7] }],
    ['{limit: 2, intervalSec: 5, backoff: true}', { ...plain, backoff: 2 }],
    ['{limit: 2, intervalSec: 5, backoff: false}', plain],
    ['{limit: 2, intervalSec: 5, backoff: 0}', plain],
    ['{limit: 2, intervalSec: 5, backoff: 2}', { ...plain, backoff: 2 }],
    [
      '{limit: 2, intervalSec: 5, backoff: 1.5, maxIntervalSec: 60}',
      { ...plain, backoff: 1.5, maxIntervalSec: 60 },
    ],
    ['{limit: 2, intervalSec: 5, maxIntervalSec: 0}', plain],
  ])('reads %s', (text, policy) => {
    expect(stepOf(`retryPolicy: ${text}`).retryPolicy).toEqual(policy)
  })

  it.each([
    ['{limit: 2}', 'retryPolicy needs intervalSec'],
    ['{intervalSec: 2}', 'retryPolicy needs limit'],
    ['{limit: [1], intervalSec: 1}', 'retryPolicy.limit must be a whole number from 0 on, is a list [1]'],
    ['{limit: -1, intervalSec: 1}', 'retryPolicy.limit must be a whole number from 0 on, is -1'],
    ['{limit: many, intervalSec: 1}', 'retryPolicy.limit must be a whole number from 0 on, is "many"'],
    ['{limit: 0.5, intervalSec: 1}', 'retryPolicy.limit must be a whole number from 0 on, is 0.5'],
    ['{limit: "`id`$X", intervalSec: 1}', 'retryPolicy.limit must be a whole number from 0 on, is "`id`$X"'],
    ['{limit: 1, intervalSec: -1}', 'retryPolicy.intervalSec must be a number of seconds from 0 on, is -1'],
    [
      '{limit: 1, intervalSec: 1, backoff: 1}',
      'retryPolicy.backoff must be true, false, or a number greater than 1, is 1',
    ],
    [
      '{limit: 1, intervalSec: 1, backoff: -2}',
      'retryPolicy.backoff must be true, false, or a number greater than 1, is -2',
    ],
    [
      '{limit: 1, intervalSec: 1, backoff: fast}',
      'retryPolicy.backoff must be true, false, or a number greater than 1, is "fast"',
    ],
    ['{limit: 1, intervalSec: 1, exitCode: [a]}', 'retryPolicy.exitCode[0] must be a whole number, is "a"'],
    ['3', 'retryPolicy must be a retry policy, a map of its fields, is 3'],
  ])('is refused: %s', (text, fault) => {
    expect(stepFaults(`retryPolicy: ${text}`)).toEqual([`step "s": ${fault}`])
  })
})

describe('repeatPolicy', () => {
  const plain = {
    mode: 'always',
    intervalSec: 0,
    limit: undefined,
    condition: undefined,
    exitCodes: [],
    backoff: 1,
    maxIntervalSec: undefined,
  }
  const condition = (condition: string, expected?: string, negate = false): object => ({
    condition,
    expected,
    negate,
  })

  it.each<[string, object | undefined]>([
    ['{repeat: true, intervalSec: 5}', { ...plain, intervalSec: 5 }],
    ['{repeat: true, interval: 5, limit: 3}', { ...plain, intervalSec: 5, limit: 3 }],
    ['{repeat: true, limit: 0}', plain],
    ['{repeat: false, condition: a}', undefined],
    ['{intervalSec: 5}', undefined],
    ['{}', undefined],
    ['{repeat: true, condition: a}', { ...plain, mode: 'while', condition: condition('a') }],
    ['{repeat: true, exitCode: 1}', { ...plain, mode: 'while', exitCodes: [1] }],
    ['{repeat: while, condition: a}', { ...plain, mode: 'while', condition: condition('a') }],
    [
      '{repeat: while, condition: a, expected: b}',
      { ...plain, mode: 'while', condition: condition('a', 'b') },
    ],
    ['{repeat: until, exitCode: [0, 3]}', { ...plain, mode: 'until', exitCodes: [0, 3] }],
    ['{condition: a}', { ...plain, mode: 'while', condition: condition('a') }],
    ['{condition: a, expected: b}', { ...plain, mode: 'until', condition: condition('a', 'b') }],
    [
      '{condition: a, expected: b, negate: true}',
      { ...plain, mode: 'until', condition: condition('a', 'b', true) },
    ],
    ['{exitCode: [1]}', { ...plain, mode: 'while', exitCodes: [1] }],
    ['{condition: a, exitCode: 1}', { ...plain, mode: 'while', condition: condition('a'), exitCodes: [1] }],
    ['{repeat: true, backoff: true, maxIntervalSec: 9}', { ...plain, backoff: 2, maxIntervalSec: 9 }],
  ])('reads %s', (text, policy) => {
    expect(stepOf(`repeatPolicy: ${text}`).repeatPolicy).toEqual(policy)
  })

  it.each([
    ['{repeat: sometimes}', 'repeatPolicy.repeat must be true, false, while or until, is "sometimes"'],
    [
      '{repeat: until}',
      'repeatPolicy.repeat must not be until without condition or exitCode; true repeats while the step succeeds',
    ],
    ['{repeat: while, expected: a}', 'repeatPolicy needs condition, the text that is compared with expected'],
    ['{condition: " "}', 'repeatPolicy must be a command, or a text to compare, is empty'],
    ['{condition: a, expected: "re:["}', /^repeatPolicy.expected must be a text or re: and a pattern/],
  ])('is refused: %s', (text, fault) => {
    const [first] = stepFaults(`repeatPolicy: ${text}`).map((one) => one.replace('step "s": ', ''))
    expect(first).toEqual(typeof fault === 'string' ? fault : expect.stringMatching(fault))
  })
})

describe('continueOn', () => {
  const never = { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false }

  it.each<[string, object]>([
    ['failed', { ...never, failure: true }],
    ['failure', { ...never, failure: true }],
    ['skipped', { ...never, skipped: true }],
    [
      '{failure: true, skipped: true, markSuccess: true}',
      { ...never, failure: true, skipped: true, markSuccess: true },
    ],
    ['{failed: true}', { ...never, failure: true }],
    ['{exitCode: 3}', { ...never, exitCodes: [3] }],
    ['{exitCode: [3, "4"], output: "re:^a"}', { ...never, exitCodes: [3, 4], output: ['re:^a'] }],
    ['{output: [a, "b c"]}', { ...never, output: ['a', 'b c'] }],
    ['{}', never],
  ])('reads %s', (text, policy) => {
    expect(stepOf(`continueOn: ${text}`).continueOn).toEqual(policy)
  })

  it.each([
    [
      'always',
      'continueOn must be failed, skipped, or a map of failure, skipped, exitCode, output and ' +
        'markSuccess, is "always"',
    ],
    [
      'true',
      'continueOn must be failed, skipped, or a map of failure, skipped, exitCode, output and markSuccess, is true',
    ],
    ['{failure: yes}', 'continueOn.failure must be true or false, is "yes"'],
    ['{failure: true, failed: true}', 'continueOn: "failure" and "failed" are the same field, give one'],
    ['{output: ""}', 'continueOn.output must be texts, or re: and patterns: is empty'],
    ['{output: ["re:("]}', /^continueOn.output must be texts, or re: and patterns: "\(" is not a pattern/],
  ])('is refused: %s', (text, fault) => {
    const faults = stepFaults(`continueOn: ${text}`).map((one) => one.replace('step "s": ', ''))
    expect(faults).toEqual([typeof fault === 'string' ? fault : expect.stringMatching(fault)])
  })
})

describe('a wrong pattern', () => {
  it('is reported in every field', () => {
    const faults = stepFaults(
      'continueOn: {output: ["re:(", "re:("]}\nrepeatPolicy: {condition: a, expected: "re:("}',
    )
    expect(faults.map((fault) => fault.slice(0, 40))).toEqual([
      'step "s": continueOn.output must be text',
      'step "s": repeatPolicy.expected must be ',
    ])
  })
})

describe('output', () => {
  const output = (name: string, key?: string, omit = false): object => ({ name, key, omit })

  it.each<[string, object | undefined]>([
    ['NAME', output('NAME')],
    ['$NAME', output('NAME')],
    ['${NAME}', output('NAME')],
    ['my-name.x', output('my-name.x')],
    ['""', undefined],
    ['{name: NAME, key: someName, omit: true}', output('NAME', 'someName', true)],
    ['{name: $NAME}', output('NAME')],
  ])('reads %s', (text, spec) => {
    expect(stepOf(`output: ${text}`).output).toEqual(spec)
  })

  it.each([
    ['a b', 'output must be the name of a variable, is "a b"'],
    ['"${"', 'output must be the name of a variable, is "${"'],
    ['{name: ""}', 'output.name must be the name of a variable, is ""'],
    ['{key: a}', 'output needs name'],
    ['5', 'output must be the name of a variable, or a map of name, key and omit, is 5'],
  ])('is refused: %s', (text, fault) => {
    expect(stepFaults(`output: ${text}`)).toEqual([`step "s": ${fault}`])
  })
})

describe('other fields of a step', () => {
  it('are read', () => {
    const fields =
      'id: i\ndescription: d\ndir: /w\nshell: bash\nstdout: a\nstderr: b\nlogOutput: merged\n' +
      'signalOnStop: SIGINT\ntimeoutSec: 9\nmailOnError: true\nworkerSelector: {a: 1}'
    expect(stepOf(fields)).toMatchObject({
      id: 'i',
      description: 'd',
      workingDir: '/w',
      shell: ['bash'],
      stdout: 'a',
      stderr: 'b',
      logOutput: 'merged',
      signalOnStop: 'SIGINT',
      timeoutSec: 9,
      mailOnError: true,
      workerSelector: { a: '1' },
    })
    expect(stepOf('stdout: " "\nstderr: ""')).toMatchObject({ stdout: undefined, stderr: undefined })
  })

  it.each([
    [
      'signalOnStop: SIGNOTHING',
      'signalOnStop must be the name of a signal such as SIGTERM or SIGINT, is "SIGNOTHING"',
    ],
    ['signalOnStop: TERM', 'signalOnStop must be the name of a signal such as SIGTERM or SIGINT, is "TERM"'],
    ['timeoutSec: -1', 'timeoutSec must be a whole number from 0 on, is -1'],
  ])('are refused: %j', (text, fault) => {
    expect(stepFaults(text)).toEqual([`step "s": ${fault}`])
  })
})
