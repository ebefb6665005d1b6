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
  ])('is none in %j', (text) => {
    expect(warningsOf(text)).toEqual([])
  })
})

describe('a value that stays as written', () => {
  it('is warned about within single quotes, unless it is quoted alone', () => {
    expect(warningsOf("params: A=1\nsteps:\n  - echo 'a ${A}' '${A}' \"'${A}'\"\n")).toEqual([
      '3: step 1: command has ${A} within single quotes, where it stays as written: use double quotes',
    ])
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

describe('a hostile file', () => {
  const manyNames = Array.from({ length: 9_900 }, (_, place) => `A${place}=1`).join(' ')

  it.each([
    ['a name that no brace closes', `echo "$\{${'A'.repeat(65_000)}"`, 60],
    ['many names that no brace closes', `echo "${'${A'.repeat(21_000)}"`, 60],
    ['names of braces far away', `echo "${'${A '.repeat(16_000)}}"`, 60],
  ])('with %s in many steps is read in time', (_, command, count) => {
    const spent = cpuTime()
    warningsOf(`steps:\n  - &a ${JSON.stringify(command)}\n${'  - *a\n'.repeat(count)}`)
    expect(spent()).toBeLessThan(1_000)
  })

  it('with many names and many steps is read in time', () => {
    const spent = cpuTime()
    expect(warningsOf(`params: "${manyNames}"\nsteps: [${'a,'.repeat(4_900)}]\n`)).toEqual([])
    expect(spent()).toBeLessThan(1_000)
  })
})
