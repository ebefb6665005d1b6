import { expect, test } from 'vitest'
import { stepLine } from '#lib/runs/search/step-line.ts'

test.each([
  ['a list', 'steps:\n  - command: x\n    name: build\n', 3],
  ['the first key of an item', 'steps:\n  -   name: build # the sources\n', 2],
  ['quotes', 'steps:\n  - name: "build"\n', 2],
  ['single quotes', "steps:\n  - name: 'build'\n", 2],
  ['braces', 'steps:\n  - {name: build, command: x}\n', 2],
  ['a map', 'steps:\n  build:\n    command: x\n', 2],
  ['line feeds of Windows', 'steps:\r\n  - name: build\r\n', 2],
  ['another name that contains it', 'name: build-all\nsteps:\n  - name: build\n', 3],
])('the line of a step in %s', (_what, spec, line) => {
  expect(stepLine(spec, 'build')).toBe(line)
})

test('a step without a name in the text has no line', () => {
  expect(stepLine('steps:\n  - command: echo cmd_1\n', 'cmd_1')).toBeUndefined()
})
