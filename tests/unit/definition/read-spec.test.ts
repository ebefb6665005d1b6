import { describe, expect, it } from 'vitest'
import { formatProblem, problemTexts, readSpec } from '#lib/definition/read-spec.ts'
import { dagOf, faultsOf } from './spec-reading.ts'

describe('a file with several documents', () => {
  const text =
    'steps: [{call: helper}]\n---\nname: helper\ndescription: helps\nsteps: [echo a]\n---\nname: other\n'

  it('has a DAG, and local DAGs in the order of the text', () => {
    const { dag, localDags, problems } = readSpec(text, { fileName: 'main' })
    expect(problems).toEqual([])
    expect(dag).toMatchObject({ name: 'main', steps: [{ child: { dag: 'helper' } }] })
    expect(localDags).toMatchObject([
      { name: 'helper', description: 'helps', steps: [{ name: 'cmd_1' }] },
      { name: 'other' },
    ])
  })

  it('reports faults with the name of the DAG', () => {
    expect(
      faultsOf('a: 1\n---\nname: helper\nsteps: [{name: x, command: ""}]\nb: 1\n---\nname: y z\n'),
    ).toEqual([
      'line 1, column 1: "a" is not a field of a DAG',
      'line 4, column 28: DAG "helper": step "x": command must not be empty',
      'line 5, column 1: DAG "helper": "b" is not a field of a DAG',
      'line 7, column 7: DAG "y z": name must be letters, digits, -, _ and dots, is "y z"',
    ])
  })

  it('needs a unique name for each local DAG', () => {
    expect(faultsOf('name: a\n---\nsteps: []\n---\nname: b\n---\nName: b\n---\nname: a\n---\n- x\n')).toEqual(
      [
        'line 3, column 1: document 2 needs name, by which steps call it',
        'line 7, column 1: there are two DAGs "b" in the file',
        'line 9, column 1: there are two DAGs "a" in the file',
        'line 11, column 1: document 6 needs name, by which steps call it',
        'line 11, column 1: document 6 must be a map of fields such as steps, is a list',
      ],
    )
  })

  it('may have empty documents after the first', () => {
    expect(readSpec('steps: [a]\n---\n---\nname: b\n---\n# end\n', { fileName: 'f' })).toMatchObject({
      problems: [],
      dag: { steps: [{ name: 'cmd_1' }] },
      localDags: [{ name: 'b' }],
    })
  })

  it('is read as far as it is YAML', () => {
    const { dag, localDags, problems } = readSpec('name: a\n---\nname: b\nsteps: [\n', { fileName: 'f' })
    expect(dag.name).toBe('a')
    expect(localDags).toHaveLength(0)
    expect(problems.map(({ line }) => line)).toEqual([5])
  })
})

describe('a DAG without a name', () => {
  it('has the name of its file', () => {
    expect(readSpec('', { fileName: 'my-file' })).toMatchObject({ dag: { name: 'my-file' }, problems: [] })
    const [problem] = readSpec('steps: [a]', { fileName: 'f'.repeat(41) }).problems
    expect(problem?.message).toBe(`name must have at most 40 characters, has 41: "${'f'.repeat(41)}"`)
  })
})

describe('a base configuration', () => {
  const base = `name: ignored
description: from base
env: [A: base, B: base]
dotenv: base.env
tags: [base, both]
preconditions: "true"
secrets: [{name: S, provider: env, key: S}]
params: X=base
schedule: "0 1 * * *"
timeoutSec: 9
shell: bash
smtp: {host: h, port: 25}
mailOn: {failure: true}
errorMail: {from: a@b, to: c@d}
ssh: {user: u, host: h}
registryAuths: {r: {username: u, password: p}}
handlerOn: {exit: {command: base exit}, failure: {command: base failure}}
`

  it('fills in what the DAG does not give', () => {
    expect(dagOf('steps: [a]', base)).toMatchObject({
      name: 'file',
      description: 'from base',
      env: [
        { name: 'A', value: 'base' },
        { name: 'B', value: 'base' },
      ],
      dotenv: ['base.env'],
      tags: ['base', 'both'],
      preconditions: [{ condition: 'true' }],
      secrets: [{ name: 'S' }],
      params: [{ name: 'X', value: 'base' }],
      schedule: { start: [{ expression: '0 1 * * *' }] },
      timeoutSec: 9,
      shell: ['bash'],
      smtp: { host: 'h', port: '25' },
      mailOn: { failure: true, success: false },
      errorMail: { from: 'a@b', to: ['c@d'] },
      ssh: { user: 'u', host: 'h' },
      registryAuths: { r: { username: 'u' } },
      handlers: { exit: { commands: ['base exit'] }, failure: { commands: ['base failure'] } },
    })
  })

  it('is overridden by the DAG: lists are joined, maps merged field by field, all else replaced', () => {
    const text = `description: own
env: [A: own]
dotenv: [own.env]
tags: [own, both]
preconditions: ["false"]
secrets: [{name: T, provider: env, key: T}]
params: Y=own
schedule: "0 2 * * *"
timeoutSec: 0
smtp: {port: 26, username: me}
mailOn: {success: true}
errorMail: {prefix: P}
ssh: {host: own}
registryAuths: {s: {username: v, password: q}}
handlerOn: {exit: {command: own exit}}
steps: [{type: ssh, command: a}]
`
    const dag = dagOf(text, base)
    expect(dag).toMatchObject({
      description: 'own',
      dotenv: ['base.env', 'own.env'],
      tags: ['base', 'both', 'own'],
      params: [{ name: 'Y', value: 'own' }],
      schedule: { start: [{ expression: '0 2 * * *' }] },
      timeoutSec: 0,
      smtp: { host: 'h', port: '26', username: 'me' },
      mailOn: { failure: true, success: true },
      errorMail: { from: 'a@b', to: ['c@d'], prefix: 'P' },
      handlers: { exit: { commands: ['own exit'] }, failure: { commands: ['base failure'] } },
      steps: [{ executor: { type: 'ssh', config: { user: 'u', host: 'own' } } }],
    })
    expect(dag.env.map(({ name, value }) => `${name}=${value}`)).toEqual(['A=base', 'B=base', 'A=own'])
    expect(dag.preconditions.map(({ condition }) => condition)).toEqual(['true', 'false'])
    expect(dag.secrets.map(({ name }) => name)).toEqual(['S', 'T'])
    expect(Object.keys(dag.registryAuths)).toEqual(['r', 's'])
  })

  it('gives local DAGs everything but its handlers', () => {
    const { localDags, problems } = readSpec('name: a\n---\nname: b\n', { fileName: 'f', base })
    expect(problems).toEqual([])
    const [local] = localDags
    expect(local).toMatchObject({ name: 'b', description: 'from base', handlers: {} })
  })

  it('is named in its faults, and each is reported once', () => {
    const wrong = 'bogus: 1\nschedule: x\nsteps: [a]\n---\nname: b\n'
    expect(faultsOf('delaySec: x\n---\nname: b\n', wrong)).toEqual([
      'base configuration, line 1, column 1: "bogus" is not a field of a DAG',
      'base configuration, line 2, column 11: schedule must be a schedule of five fields: expected ' +
        'exactly 5 fields, found 1: "x"',
      'base configuration, line 3, column 8: steps must not be in the base configuration',
      'base configuration, line 5, column 1: the base configuration must be one document',
      'line 1, column 11: delaySec must be a whole number from 0 on, is "x"',
    ])
  })
})

describe('a problem', () => {
  it('is formatted as one line', () => {
    expect(formatProblem({ message: 'is wrong' })).toBe('is wrong')
    expect(formatProblem({ message: 'is wrong', line: 3 })).toBe('line 3, column 1: is wrong')
    expect(problemTexts([{ message: 'is wrong', line: 3, column: 5 }])).toEqual([
      'line 3, column 5: is wrong',
    ])
  })
})
