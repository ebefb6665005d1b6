import { expect, test } from 'vitest'
import { readSpec } from '#lib/definition/read-spec.ts'
import { openingSteps } from '#lib/engine/opening.ts'
import { planRun } from '#lib/engine/plan.ts'

function opening(spec: string): string[] {
  const { dag, problems } = readSpec(spec, { fileName: 'demo' })
  expect(problems).toEqual([])
  return openingSteps(planRun(dag)).map(({ name, place }) => `${name} ${place}`)
}

const steps = `
type: graph
steps:
  - {name: a, command: "true"}
  - {name: b, command: "true"}
  - {name: c, command: "true", depends: [a]}
`

test('a run opens with the steps that depend on nothing', () => {
  expect(opening(steps)).toEqual(['a 0', 'b 1'])
  expect(opening('steps: ["true", "true"]')).toHaveLength(1)
  expect(opening(`maxActiveSteps: 1${steps}`)).toEqual(['a 0'])
  expect(opening(`timeoutSec: 5${steps}`)).toEqual(['a 0', 'b 1'])
  expect(opening(`env: {A: x}\nparams: "1 B=y"${steps}`)).toEqual(['a 0', 'b 1'])
})

test('steps that need an evaluation, a delay or a child run are left to the runner', () => {
  expect(opening(`preconditions: "true"${steps}`)).toEqual([])
  expect(opening(`handlerOn: {init: {command: "true"}}${steps}`)).toEqual([])
  expect(opening(`delaySec: 1${steps}`)).toEqual([])
  expect(opening(`${steps}  - {name: d, command: "true", preconditions: "true"}\n`)).toEqual(['a 0', 'b 1'])
  expect(opening('steps:\n  - {name: a, call: other}\n')).toEqual([])
})

test.each([
  ['the environment', 'env: {A: "`date`"}'],
  ['the environment of the runner', 'env: {A: "$HOME"}'],
  ['the params', 'params: "A=`date`"'],
  ['the working directory', 'workingDir: $HOME'],
  ['a schema', 'params: {schema: {type: object}, values: {a: 1}}'],
  ['secrets', 'secrets: [{name: A, provider: env, key: B}]'],
])('a run has no opening steps when its inputs must be evaluated: %s', (_what, field) => {
  expect(opening(`${field}${steps}`)).toEqual([])
})

test('a run with more than eight opening steps leaves them all to the runner', () => {
  const wide = (count: number): string => `type: graph\nsteps:\n${'  - command: "true"\n'.repeat(count)}`
  expect(opening(wide(8))).toHaveLength(8)
  expect(opening(wide(9))).toEqual([])
})
