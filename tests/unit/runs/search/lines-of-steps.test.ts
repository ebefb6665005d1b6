import { expect, test } from 'vitest'
import { limits } from '#lib/core/limits.ts'
import { linesOfSteps } from '#lib/runs/search/lines-of-steps.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

test.each([
  ['a list', 'steps:\n  - command: x\n    name: build\n', 3],
  ['the first key of an item', 'steps:\n  -   name: build # the sources\n', 2],
  ['quotes', 'steps:\n  - name: "build"\n', 2],
  ['single quotes', "steps:\n  - name: 'build'\n", 2],
  ['braces', 'steps:\n  - {name: build, command: x}\n', 2],
  ['a map', 'steps:\n  build:\n    command: x\n', 2],
  ['line feeds of Windows', 'steps:\r\n  - name: build\r\n', 2],
  ['another name that contains it', 'name: build-all\nsteps:\n  - name: build\n', 3],
])('the line of a step is found in %s', (_what, spec, line) => {
  expect(linesOfSteps(spec, ['build']).get('build')).toBe(line)
})

test('a step without a name in the text has no line', () => {
  expect(linesOfSteps('steps:\n  - command: echo cmd_1\n', ['cmd_1']).get('cmd_1')).toBeUndefined()
})

test('all steps of the largest file are found in one pass', () => {
  const names = Array.from({ length: limits.foundNamesMax }, (_, n) => `s${n}`)
  const steps = names.map((name) => `  - name: ${name}\n`).join('')
  const spec = `${'# a: b\n'.repeat(limits.specLinesMax - 100)}steps:\n${steps}`
  const spent = cpuTime()
  expect(linesOfSteps(spec, names).get('s0')).toBe(limits.specLinesMax - 98)
  expect(spent()).toBeLessThan(500)
})
