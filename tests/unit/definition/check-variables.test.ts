import { describe, expect, it } from 'vitest'
import { readSpec } from '#lib/definition/read-spec.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { faultsOf } from './spec-reading.ts'

function warningsOf(text: string): string[] {
  expect(faultsOf(text)).toEqual([])
  return readSpec(text, { fileName: 'file' }).warnings.map(({ line, message }) => `${line}: ${message}`)
}

const unknown = (written: string): string =>
  `refers to ${written}, which nothing in the file defines: it is empty unless a caller or .env gives it`

describe('a reference to a name that nothing defines', () => {
  it('is warned about, once for each text', () => {
    expect(
      warningsOf(
        'steps:\n  - echo $X ${Y} $X\n  - {name: s, type: http, command: "GET http://$HOST/", stdout: /l/$X}\n',
      ),
    ).toEqual([
      `2: step 1: command ${unknown('$X')}`,
      `2: step 1: command ${unknown('${Y}')}`,
      `3: step "s": command ${unknown('$HOST')}`,
      `3: step "s": stdout ${unknown('$X')}`,
    ])
  })

  it('is looked for in handlers, configs and params of calls', () => {
    const text = 'steps:\n  - {name: c, call: d, params: A=$B}\nhandlerOn:\n  exit: {command: echo $C}\n'
    expect(warningsOf(text)).toEqual([
      `2: step "c": params ${unknown('$B')}`,
      `4: handlerOn.exit.command ${unknown('$C')}`,
    ])
  })

  it('is looked for in the params, the conditions and the working directory of the file, and those of steps', () => {
    const text =
      'params: P=$A\nworkingDir: /w/$B\npreconditions: [{condition: $C, expected: x}]\n' +
      'steps:\n  - {command: echo, preconditions: ["test $D"], repeatPolicy: {condition: "test $E", limit: 1}}\n'
    expect(warningsOf(text)).toEqual([
      `1: params ${unknown('$A')}`,
      `2: workingDir ${unknown('$B')}`,
      `3: preconditions[0].condition ${unknown('$C')}`,
      `5: step 1: preconditions[0] ${unknown('$D')}`,
      `5: step 1: repeatPolicy.condition ${unknown('$E')}`,
    ])
  })

  it('is described differently in env, which is evaluated first', () => {
    expect(warningsOf('env: [A: $P, B: "$A $HOME ${X:-y}", C: $Y]\nparams: P=1\nsteps: []\n')).toEqual([
      '1: env[0].A refers to $P, which is empty here: env is evaluated before params, secrets and outputs',
      '1: env[2].C refers to $Y, which is empty: env knows only its own entries and PATH, HOME and such',
    ])
  })

  it.each([
    ['params: [A=1, b]\nsteps: ["echo $A $1 ${A:0:1}"]'],
    ['params: {schema: {properties: {A: {type: string}}}}\nsteps: [echo $A]'],
    ['env: {A: x}\nsecrets: [{name: S, provider: env, key: K}]\nsteps: [echo $A $S]'],
    ['steps: [{command: date, output: DAY}, {id: two, command: "echo $DAY ${two.stdout}"}]'],
    ['steps: [{command: echo $A, env: [A: x]}]'],
    ['steps: ["echo $PATH $LC_ALL $DAG_RUN_ID $PWD $RANDOM $BASH_VERSION $?"]'],
    ['steps: [{call: d, parallel: [1, 2], params: "N=${ITEM}"}]'],
    ['steps: ["A=1; for i in 1 2; do read -r line; echo $A $i $line; done"]'],
    ['steps: ["echo ${A:-none} ${B:+x} \\\\$C"]'],
    ['steps: [{script: "source ./vars\\necho $A"}]'],
    ['steps: ["while IFS== read -r key value; do echo $key=$value; done < f"]'],
    ['dotenv: vars.env\nsteps: [echo $A]'],
    ['ssh: {host: h}\nsteps: [echo $REMOTE]'],
    ['steps: ["awk \'{ print $NF }\' f"]'],
    ['steps: [{type: jq, command: ".a as $x | $x", script: "{}"}]'],
  ])('is not found in %j', (text) => {
    expect(warningsOf(text)).toEqual([])
  })
})

describe('a value that stays as written', () => {
  it('is warned about within single quotes, unless it is quoted alone', () => {
    expect(warningsOf("params: A=1\nsteps:\n  - echo 'a ${A}' '${A}' \"'${A}'\"\n")).toEqual([
      '3: step 1: command has ${A} within single quotes, where it stays as written: use double quotes',
    ])
  })

  it('is warned about in a command of several lines, and in a here-document with a quoted delimiter', () => {
    const text =
      "params: A=1\nsteps:\n  - |\n    echo 'x\n    ${A}'\n  - script: |\n      cat <<'END'\n      ${A}\n      END\n" +
      '      cat <<END\n      ${A}\n      END\n'
    expect(warningsOf(text)).toEqual([
      '3: step 1: command has ${A} within single quotes, where it stays as written: use double quotes',
      '6: step 2: script has ${A} in a here-document with a quoted delimiter, ' +
        'where it stays as written: quote no delimiter',
    ])
  })

  it('is warned about without braces when it is a param or an output', () => {
    const text =
      "params: A=1\nenv: [E: x]\nsteps:\n  - {command: echo, output: O}\n  - echo 'a $A $O $E $NF b'\n"
    expect(warningsOf(text)).toEqual(
      ['$A', '$O'].map(
        (written) =>
          `5: step 2: command has ${written} within single quotes, where it stays as written: use double quotes`,
      ),
    )
  })

  it('is not warned about when an inner shell expands it', () => {
    expect(warningsOf("params: A=1\nsteps:\n  - bash -c 'echo ${A} x'\n")).toEqual([])
  })

  it('is warned about in programs of other languages', () => {
    const text =
      'params: A=1\nsteps:\n  - command: python3\n    script: print("${A}", "${B}")\n' +
      '  - script: |\n      #!/usr/bin/env node\n      console.log("${A}")\n'
    expect(warningsOf(text)).toEqual(
      [4, 5].map(
        (line, at) =>
          `${line}: step ${at + 1}: script has \${A} in a program that no shell reads, ` +
          'where it stays as written: read A from the environment',
      ),
    )
  })
})

it('a secret that is a setting of the service is warned about', () => {
  expect(warningsOf('secrets: [{name: S, provider: env, key: MILLRACE_TOKEN}]\nsteps: []\n')).toEqual([
    '1: secrets[0].key is a setting of the service, which no DAG may read: the run will fail',
  ])
})

describe('a hostile file', () => {
  const manyNames = Array.from({ length: 9_900 }, (_, index) => `A${index}=1`).join(' ')

  it.each([
    ['a long name after an unclosed brace', `echo "$\{${'A'.repeat(65_000)}"`, 60],
    ['many unclosed braces', `echo "${'${A'.repeat(21_000)}"`, 60],
    ['many braces closed by one', `echo "${'${A '.repeat(16_000)}}"`, 60],
  ])('with %s in many steps is read in time', (_, command, count) => {
    const spent = cpuTime()
    warningsOf(`steps:\n  - &a ${JSON.stringify(command)}\n${'  - *a\n'.repeat(count)}`)
    expect(spent()).toBeLessThan(1_000)
  })

  it('with many entries of env, each with a reference, is read in time', () => {
    const spent = cpuTime()
    const entries = Array.from({ length: 9_900 }, (_, index) => `A${index}=$A${index + 1}`).join(',')
    expect(warningsOf(`env: [${entries}]\nsteps: []\n`)).toHaveLength(1)
    expect(spent()).toBeLessThan(2_000)
  })

  it('with many unclosed here-documents is read in time', () => {
    const spent = cpuTime()
    warningsOf(`params: A=1\nsteps:\n  - ${JSON.stringify("cat <<'E'\n${A}\n".repeat(4_000))}\n`)
    expect(spent()).toBeLessThan(1_000)
  })

  it('with many names and many steps is read in time', () => {
    const spent = cpuTime()
    expect(warningsOf(`params: "${manyNames}"\nsteps: [${'a,'.repeat(4_900)}]\n`)).toEqual([])
    expect(spent()).toBeLessThan(1_000)
  })
})
