import { expect } from 'vitest'
import type { Definition, Step } from '#lib/definition/definition.ts'
import { formatProblem, readSpec } from '#lib/definition/read-spec.ts'

/** What is wrong with a text, one line a fault. */
export function faultsOf(text: string, base?: string): string[] {
  const options = base === undefined ? { fileName: 'file' } : { fileName: 'file', base }
  return readSpec(text, options).problems.map(formatProblem)
}

/** The DAG of a text that must be without faults. */
export function dagOf(text: string, base?: string): Definition {
  expect(faultsOf(text, base)).toEqual([])
  return readSpec(text, base === undefined ? { fileName: 'file' } : { fileName: 'file', base }).dag
}

/** The steps of a DAG without faults whose list of steps is the text. */
export function stepsOf(text: string): readonly Step[] {
  const indented = text.replaceAll(/^/gm, '  ')
  return dagOf(`steps:\n${indented}\n`).steps
}

/** The one step, given its fields as lines; it has a name and a command if the lines give none. */
export function stepOf(fields: string): Step {
  const [step] = dagOf(oneStep(fields)).steps
  if (step === undefined) throw new Error('there is no step')
  return step
}

/** What is wrong with one step, without the positions. */
export function stepFaults(fields: string): string[] {
  return faultsOf(oneStep(fields)).map((fault) => fault.replace(/^line \d+, column \d+: /, ''))
}

function oneStep(fields: string): string {
  const work = /^(command|script|call|run|container|executor|type):/m.test(fields) ? '' : 'command: "true"\n'
  const lines = `name: s\n${work}${fields}`.trimEnd().split('\n')
  return `steps:\n  - ${lines.join('\n    ')}\n`
}
