import { describe, expect, it } from 'vitest'
import { readSpec } from '#lib/definition/read-spec.ts'
import { dagOf, faultsOf, stepFaults, stepOf } from './spec-reading.ts'

describe('keys of fields', () => {
  it.each([
    'maxActiveRuns',
    'MaxActiveRuns',
    'maxactiveruns',
    'MAXACTIVERUNS',
    'max_active_runs',
    'Max_Active_Runs',
  ])('are found in any case and with underscores: %s', (key) => {
    expect(dagOf(`${key}: 3`).maxActiveRuns).toBe(3)
  })

  it('have older spellings', () => {
    const dag = dagOf('dir: /a\ndelay: 1\ntimeout: 2\nrestartWait: 3\nmaxCleanUpTime: 4\n')
    expect(dag).toMatchObject({
      workingDir: '/a',
      delaySec: 1,
      timeoutSec: 2,
      restartWaitSec: 3,
      maxCleanUpTimeSec: 4,
    })
    expect(stepOf('dir: /b\ntimeout: 5')).toMatchObject({ workingDir: '/b', timeoutSec: 5 })
    expect(stepOf('run: child').child?.dag).toBe('child')
  })

  it('in snake case are accepted', () => {
    const step = stepOf(
      'working_dir: /w\nretry_policy: {limit: 1, interval_sec: 2}\ncontinue_on: {exit_code: 3, ' +
        'mark_success: true}\nmail_on_error: true\n',
    )
    expect(step).toMatchObject({
      workingDir: '/w',
      retryPolicy: { limit: 1, intervalSec: 2 },
      continueOn: { exitCodes: [3], markSuccess: true },
      mailOnError: true,
    })
    expect(dagOf('handler_on: {exit: {command: a}}\n').handlers.exit?.name).toBe('onExit')
  })

  it.each([
    ['bogus: 1', 'line 1, column 1: "bogus" is not a field of a DAG'],
    ['descripton: a', 'line 1, column 1: "descripton" is not a field of a DAG, did you mean description?'],
    ['\nSTEP: []', 'line 2, column 1: "STEP" is not a field of a DAG, did you mean steps?'],
    [
      'smtp: {host: a, prot: 1}',
      'line 1, column 17: smtp: "prot" is not a field of smtp, did you mean port?',
    ],
    [
      'runConfig: {nothing: 1}',
      'line 1, column 13: runConfig: "nothing" is not a field of runConfig, there are ' +
        'disableParamEdit, disableRunIdEdit',
    ],
    ['dir: /a\nworkingDir: /b', 'line 2, column 1: "dir" and "workingDir" are the same field, give one'],
    ['Env: {}\nenv: {}', 'line 2, column 1: "Env" and "env" are the same field, give one'],
    [
      'llm: {}',
      'line 1, column 1: the field "llm" is not offered here: this service calls no language models',
    ],
    ['harness: {}', 'line 1, column 1: the field "harness" is not offered here'],
    [
      'handlerOn: {wait: {command: a}}',
      'line 1, column 13: handlerOn: the field "wait" is not offered here: this service waits for no approvals',
    ],
    [
      'mail_on: {wait: true}',
      'line 1, column 11: mail_on: the field "wait" is not offered here: this service waits for no approvals',
    ],
    [
      'wait_mail: {}',
      'line 1, column 1: the field "wait_mail" is not offered here: this service waits for no approvals',
    ],
  ])('that are wrong are reported: %j', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault])
  })

  it('of steps are reported with the name of the step, or its position', () => {
    expect(
      faultsOf(
        'steps:\n- {name: a, command: x, colour: red}\n- {command: x, colour: red}\n- [{command: x}, {colour: 1}]\n',
      ),
    ).toEqual([
      'line 2, column 25: step "a": "colour" is not a field of a step',
      'line 3, column 16: step 2: "colour" is not a field of a step',
      'line 4, column 19: step 3.2: "colour" is not a field of a step',
    ])
    expect(faultsOf('steps: {build: {colour: red}}')).toEqual([
      'line 1, column 17: step "build": "colour" is not a field of a step',
    ])
  })

  it.each([
    [
      'messages: []',
      'step "s": the field "messages" is not offered here: this service calls no language models',
    ],
    [
      'shellPackages: [a]',
      'step "s": the field "shellPackages" is not offered here: only nix-shell knows packages: ' +
        'name them in the shell command',
    ],
    [
      'approval: {}',
      'step "s": the field "approval" is not offered here: this service waits for no approvals',
    ],
    [
      'continueOn: {failing: true}',
      'step "s": continueOn: "failing" is not a field of continueOn, there are failure, skipped, ' +
        'exitCode, output, markSuccess, failed, exitCodes',
    ],
  ])('of a step that are wrong are reported: %j', (fields, fault) => {
    expect(stepFaults(fields)).toEqual([fault])
  })

  it('that the author chooses are kept as written', () => {
    expect(dagOf('env: {Max_Runs: a, max_runs: b}\n').env).toEqual([
      { name: 'Max_Runs', value: 'a' },
      { name: 'max_runs', value: 'b' },
    ])
  })

  it('without a value count as absent', () => {
    const dag = dagOf('name:\nsteps:\nschedule: ~\nenv:\nsmtp: {host: a, port: }\n')
    expect(dag).toMatchObject({ name: 'file', steps: [], env: [], smtp: { host: 'a', port: '' } })
  })
})

describe('a value that does not fit', () => {
  it.each([
    ['steps: 5', 'steps must be a list of steps, or a map from names to steps, is 5'],
    [
      'steps: [5]',
      'step 1 must be a step (a map), a command (a text), or a list of these that run side by side, is 5',
    ],
    ['steps: [[5]]', 'step 1.1 must be a step, or a command, is 5'],
    ['steps: [[[a]]]', 'step 1.1 must be a step, or a command, is a list ["a"]'],
    ['steps: {a: [b]}', 'step "a" must be a step, or a command, is a list ["b"]'],
    ['maxActiveSteps: many', 'maxActiveSteps must be a whole number from 0 on, is "many"'],
    ['maxActiveSteps: -1', 'maxActiveSteps must be a whole number from 0 on, is -1'],
    ['maxActiveSteps: 1.5', 'maxActiveSteps must be a whole number from 0 on, is 1.5'],
    ['maxActiveSteps: "2"', 'maxActiveSteps must be a whole number from 0 on, is "2"'],
    ['maxActiveSteps: 99999999999', 'maxActiveSteps must be at most 2147483647, is 99999999999'],
    [
      'maxActiveSteps: [1, a, true, null, 2]',
      'maxActiveSteps must be a whole number from 0 on, is a list [1, "a", true, …]',
    ],
    ['skipIfSuccessful: yes', 'skipIfSuccessful must be true or false, is "yes"'],
    ['name: 5', 'name must be a text (in quotes, if it looks like a number, true or false), is 5'],
    [
      'description: {a: 1, b: [1], c: null, d: 2}',
      'description must be a text (in quotes, if it looks like a number, true or false), is a map ' +
        '{a: 1, b: …, c: null, …}',
    ],
    ['type: spiral', 'type must be chain or graph, is "spiral"'],
    ['logOutput: both', 'logOutput must be separate or merged, is "both"'],
    ['env: 5', 'env must be a map of names and values, or a list of such maps and of NAME=value texts, is 5'],
    ['env: [1]', 'env[0] must be NAME=value, or a map of names and values, is 1'],
    ['env: {A: [1]}', 'env.A must be a text or a number, is a list [1]'],
    ['env: [{A: {b: 1}}]', 'env[0].A must be a text or a number, is a map {b: 1}'],
    ['tags: {a: b}', 'tags must be a list of texts, or one text with commas, is a map {a: "b"}'],
    ['smtp: []', 'smtp must be smtp, a map of its fields, is a list []'],
    ['smtp: [1]', 'smtp must be smtp, a map of its fields, is a list [1]'],
    ['workerSelector: [a]', 'workerSelector must be a map of names and texts, is a list ["a"]'],
    ['secrets: [{name: A, key: b}]', 'secrets[0] needs provider'],
    ['handlerOn: {exit: echo}', 'handlerOn.exit must be a step, a map of its fields, is "echo"'],
    [
      'handlerOn: {exit: {command: 5}}',
      'handlerOn.exit.command must be a command, or a list of commands (in quotes, if one looks ' +
        'like a number, true or false), is 5',
    ],
  ])('is reported: %j', (text, fault) => {
    const [first, ...others] = faultsOf(text)
    expect(first?.replace(/^line \d+, column \d+: /, '')).toBe(fault)
    expect(others).toEqual([])
  })

  it('is left out, and the rest is read', () => {
    const text =
      'description: still here\ndelaySec: soon\nsteps:\n- {name: a, command: x, timeoutSec: long, ' +
      'dir: /d}\n- 5\n- {name: c, command: y}\n'
    const { dag, problems } = readSpec(text, { fileName: 'file' })
    expect(problems).toHaveLength(3)
    expect(dag).toMatchObject({ description: 'still here', delaySec: 0 })
    expect(dag.steps.map(({ name, workingDir }) => [name, workingDir])).toEqual([
      ['a', '/d'],
      ['step_2', undefined],
      ['c', undefined],
    ])
  })

  it('causes no second fault for what is missing without it', () => {
    expect(stepFaults('command: 5')).toHaveLength(1)
    expect(stepFaults('command: x\ncomand: y')).toHaveLength(1)
    expect(faultsOf('steps: [{name: a, comand: x}]')).toEqual([
      'line 1, column 19: step "a": "comand" is not a field of a step, did you mean command?',
    ])
  })

  it('is reported with all others of the file, in the order of the text', () => {
    expect(
      faultsOf(
        'delaySec: a\nbogus: 1\nsteps:\n- {command: x, depends: nobody}\n- {script: 5}\nschedule: x\n',
      ).map((fault) => fault.slice(0, 40)),
    ).toEqual([
      'line 1, column 11: delaySec must be a wh',
      'line 2, column 1: "bogus" is not a field',
      'line 4, column 25: step 1: depends must ',
      'line 5, column 12: step 2: script must b',
      'line 6, column 11: schedule must be a sc',
    ])
  })

  it('may be the whole file, when it is not a map', () => {
    expect(faultsOf('just text')).toEqual([
      'line 1, column 1: a DAG file must be a map of fields such as steps, is a text',
    ])
    expect(faultsOf('- a\n')).toEqual([
      'line 1, column 1: a DAG file must be a map of fields such as steps, is a list',
    ])
  })
})
