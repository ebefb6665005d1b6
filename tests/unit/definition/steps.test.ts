import { describe, expect, it } from 'vitest'
import { problemTexts, readSpec } from '#lib/definition/read-spec.ts'
import { dagOf, faultsOf, stepsOf } from './spec-reading.ts'

const warningsOf = (text: string): string[] => problemTexts(readSpec(text, { fileName: 'file' }).warnings)
const names = (list: string): string[] => stepsOf(list).map(({ name }) => name)
const waits = (text: string): Record<string, readonly string[]> =>
  Object.fromEntries(dagOf(text).steps.map(({ name, dependsOn }) => [name, dependsOn]))

describe('steps without a name', () => {
  it.each([
    ['- echo', ['cmd_1']],
    ['- command: [a, b]', ['cmd_1']],
    ['- script: a', ['script_1']],
    ['- command: python3\n  script: a', ['script_1']],
    ['- command: |\n    a\n    b', ['script_1']],
    ['- call: a', ['dag_1']],
    ['- executor: dag\n  command: a', ['dag_1']],
    ['- call: a\n  parallel: [1]', ['parallel_1']],
    ['- container: {image: a}', ['docker_1']],
    ['- type: container\n  config: {image: a}', ['docker_1']],
    ['- executor: jq\n  command: .', ['jq_1']],
    ['- executor: {type: http}\n  command: GET http://x', ['http_1']],
    ['- type: mail\n  config: {to: a@b}', ['mail_1']],
    ['- type: ssh\n  config: {host: a}\n  command: ls', ['ssh_1']],
    ['- type: command\n  command: a', ['cmd_1']],
    ['- a\n- name: b\n  command: b\n- c', ['cmd_1', 'b', 'cmd_3']],
    ['- a\n- [b, c]\n- name: ""\n  command: d', ['cmd_1', 'cmd_2', 'cmd_3', 'cmd_4']],
    [
      '- a\n- {name: cmd_1, command: b}\n- {name: cmd_3, command: c}\n- d\n- e',
      ['cmd_2', 'cmd_1', 'cmd_3', 'cmd_4', 'cmd_5'],
    ],
  ])('are named after their kind and position: %j', (list, expected) => {
    expect(names(list)).toEqual(expected)
  })
})

describe('names and ids', () => {
  it('may hold any characters but control characters', () => {
    expect(names('- {name: "step one: (prepare)", command: a}\n- {name: schön 日本 🌱, command: b}')).toEqual(
      ['step one: (prepare)', 'schön 日本 🌱'],
    )
  })

  it('have at most 40 characters, however many bytes', () => {
    expect(names(`- {name: ${'🌱'.repeat(40)}, command: a}`)).toHaveLength(1)
    expect(faultsOf(`steps: [{name: ${'🌱'.repeat(41)}, command: a}]`)).toEqual([
      `line 1, column 16: step "${'🌱'.repeat(30)}": name must have at most 40 characters, has 41`,
    ])
  })

  it.each([
    [
      '- {name: a, command: x}\n- {name: a, command: y}',
      'step "a": name must be unique: there are two steps "a"',
    ],
    [
      '- {name: onExit, command: x}',
      'step "onExit": name must not be onExit: that is how a handler is called',
    ],
    ['- {name: "a\\nb", command: x}', 'step "a\\nb": name must be one line without control characters'],
    ['- {id: 1a, command: x}', 'step 1: id must be a letter, and then letters, digits, - and _, is "1a"'],
    ['- {id: a b, command: x}', 'step 1: id must be a letter, and then letters, digits, - and _, is "a b"'],
    ['- {id: outputs, command: x}', 'step 1: id must not be outputs: this word is reserved'],
    ['- {id: env, command: x}', 'step 1: id must not be env: this word is reserved'],
    [
      '- {id: a, command: x}\n- {id: a, command: y}',
      'step 2: id must be unique: there are two steps with the id "a"',
    ],
    [
      '- {id: a, command: x}\n- {name: a, command: y}',
      'step 1: id must not be the name of another step, "a"',
    ],
  ])('are refused: %j', (list, fault) => {
    const [first, ...others] = faultsOf(`steps:\n${list}\n`)
    expect(first?.replace(/^line \d+, column \d+: /, '')).toBe(fault)
    expect(others).toEqual([])
  })

  it('of the same step may be the same', () => {
    expect(stepsOf('- {id: a, name: a, command: x}')).toMatchObject([{ id: 'a', name: 'a' }])
  })
})

describe('a chain', () => {
  it('lets each step wait for the one before it', () => {
    expect(waits('steps: [a, b, c]')).toEqual({ cmd_1: [], cmd_2: ['cmd_1'], cmd_3: ['cmd_2'] })
  })

  it('adds the step before to the dependencies that a step names', () => {
    const text =
      'steps:\n- {name: a, command: x}\n- {name: b, command: x}\n- {name: c, command: x, depends: a}\n'
    expect(waits(text)).toEqual({ a: [], b: ['a'], c: ['a', 'b'] })
  })

  it('warns once about a branch that also waits for the step before it', () => {
    const branches = 'steps:\n- {name: a, command: x}\n- {name: b, command: x, depends: a}\n'
    const rest = '- {name: c, command: x, depends: a}\n- {name: d, command: x, depends: [b]}\n'
    expect(warningsOf(branches)).toEqual([])
    expect(warningsOf(branches + rest)).toEqual([
      'line 4, column 34: step "c": depends does not name "b", but the step of a chain waits for it; ' +
        'type: graph changes that',
    ])
    expect(warningsOf(`type: graph\n${branches}${rest}`)).toEqual([])
  })

  it.each(['depends: []', 'depends: ""', 'depends: [""]'])('lets a step start at once with %s', (depends) => {
    const text = `steps:\n- {name: a, command: x}\n- {name: b, command: x, ${depends}}\n- {name: c, command: x}\n`
    expect(waits(text)).toEqual({ a: [], b: [], c: ['b'] })
  })

  it('ignores a depends without a value', () => {
    expect(waits('steps:\n- {name: a, command: x}\n- {name: b, command: x, depends: }\n')).toEqual({
      a: [],
      b: ['a'],
    })
  })

  it('runs the members of a group side by side, and the next step after all of them', () => {
    expect(waits('steps: [a, [b, c], d, [e], f]')).toEqual({
      cmd_1: [],
      cmd_2: ['cmd_1'],
      cmd_3: ['cmd_1'],
      cmd_4: ['cmd_2', 'cmd_3'],
      cmd_5: ['cmd_4'],
      cmd_6: ['cmd_5'],
    })
  })

  it('lets a member of a group wait for more', () => {
    const text =
      'steps:\n- a\n- b\n- - {name: c, command: x, depends: cmd_1}\n  - {name: d, command: x, depends: []}\n- e\n'
    expect(waits(text)).toEqual({
      cmd_1: [],
      cmd_2: ['cmd_1'],
      c: ['cmd_1', 'cmd_2'],
      d: [],
      cmd_5: ['c', 'd'],
    })
  })

  it('ignores an empty group', () => {
    expect(waits('steps: [a, [], b]')).toEqual({ cmd_1: [], cmd_2: ['cmd_1'] })
  })

  it('reports a cycle that its own order causes', () => {
    expect(faultsOf('steps:\n- {name: a, command: x, depends: b}\n- {name: b, command: x}\n')).toEqual([
      'line 2, column 34: step "a": depends must not lead back to the step itself: a → b → a; in a ' +
        'chain each step waits for the one before it, type: graph changes that',
    ])
  })
})

describe('a graph', () => {
  it('lets a step wait only for the steps that it names by name or id', () => {
    const text =
      'type: graph\nsteps:\n- {name: d, command: x, depends: [c, made, a]}\n- {name: a, command: ' +
      'x}\n- {name: b, id: made, command: x, depends: a}\n- {name: c, command: x}\n'
    expect(waits(text)).toEqual({ d: ['a', 'b', 'c'], a: [], b: ['a'], c: [] })
  })

  it('counts a step that is named twice once', () => {
    expect(
      waits(
        'type: graph\nsteps:\n- {name: a, id: i, command: x}\n- {name: b, command: x, depends: [a, i, a]}\n',
      ),
    ).toEqual({ a: [], b: ['a'] })
  })

  it('is also made of a map of steps, in the order of the text', () => {
    const text = 'steps:\n  z: {command: x}\n  a: echo hi\n  m: {command: x, depends: z, name: m}\n'
    expect(waits(text)).toEqual({ z: [], a: [], m: ['z'] })
    expect(dagOf(text).steps.map(({ name }) => name)).toEqual(['z', 'a', 'm'])
    expect(faultsOf('steps: {a: {name: b, command: x}}')).toEqual([
      'line 1, column 19: step "a": name must be the same as its key in the map of steps, "a"',
    ])
  })

  it.each([
    ['{name: a, command: x, depends: a}', ['step "a": depends must not lead back to the step itself: a → a']],
    [
      '{name: a, command: x, depends: c}\n- {name: b, command: x, depends: a}\n- {name: c, ' +
        'command: x, depends: b}\n- {name: d, command: x, depends: c}',
      ['step "a": depends must not lead back to the step itself: a → c → b → a'],
    ],
    [
      '{name: a, command: x, depends: b}\n- {name: b, command: x, depends: a}\n- {name: c, ' +
        'command: x, depends: d}\n- {name: d, command: x, depends: c}',
      [
        'step "a": depends must not lead back to the step itself: a → b → a',
        'step "c": depends must not lead back to the step itself: c → d → c',
      ],
    ],
  ])('reports each cycle once: %j', (list, expected) => {
    const faults = faultsOf(`type: graph\nsteps:\n- ${list}\n`)
    expect(faults.map((fault) => fault.replace(/^line \d+, column \d+: /, ''))).toEqual(expected)
  })

  it.each([
    ['gost', 'there is no "gost", did you mean "ghost"?'],
    ['nobody at all', 'there is no "nobody at all"'],
  ])('reports an unknown name: %s', (name, fault) => {
    expect(
      faultsOf(
        `type: graph\nsteps:\n- {name: ghost, command: x}\n- {name: b, command: x, depends: ${name}}\n`,
      ),
    ).toEqual([`line 4, column 34: step "b": depends must name a step of this DAG, ${fault}`])
  })
})
