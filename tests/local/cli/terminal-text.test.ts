import { afterEach, expect, test, vi } from 'vitest'
import { createOutput } from '#local/cli/output.ts'
import { terminalText } from '#local/cli/terminal-text.ts'

afterEach(() => vi.restoreAllMocks())

const hostile = '\u001B]0;title\u0007a\u001B[2J\u001B[31mred\u001B[0m\u001B]52;c;cm0gLXJm\u001B\\b\u001Bc\n'

test.each([
  ['a title, the clipboard, a cleared screen', hostile, 'a\u001B[31mred\u001B[0mb␛c\n'],
  ['a string without an end', '\u001B]0;x', '␛]0;x'],
  ['a string within a string', '\u001B]0;x\u001B]0;y\u0007z', '␛]0;xz'],
  ['a link', '\u001B]8;;http://a\u001B\\text\u001B]8;;\u001B\\', 'text'],
  ['a device control string', 'a\u001BP$q"p\u001B\\b', 'ab'],
  ['one-byte forms', 'a\u009B2Jb\u009D0;x\u009C', 'a\uFFFD2Jb\uFFFD0;x\uFFFD'],
  ['a line that covers another', 'failed\rpassed\r\nx\by', 'failed␍passed\r\nx␈y'],
  ['colours of many kinds', '\u001B[38;5;1m\u001B[38:2::1:2:3m\u001B[m', undefined],
  ['colours with private marks', '\u001B[>4;1ma\u001B[?25lb', 'ab'],
  ['text, tabs, lines', 'a\tb\nc é 😀\n', undefined],
])('harmful control sequences are removed and colours kept: %s', (_, text, shown = text) => {
  expect(terminalText(text)).toBe(shown)
})

test('a megabyte of hostile text takes less than three seconds', () => {
  const began = performance.now()
  for (const unit of [
    '\u001B]',
    '\u001B[',
    '\u001B[1;',
    '\u001BP\u001B',
    '\u001B(',
    '\u001B[0;0;0;0;0;0;0;0',
  ])
    terminalText(unit.repeat(1_048_576 / unit.length))
  expect(performance.now() - began).toBeLessThan(3_000)
})

test.each([
  [true, 'a\u001B[31mred\u001B[0mb␛c\n'],
  [false, hostile],
])('only output to a terminal is made harmless (isTTY: %s)', (isTTY, wanted) => {
  vi.stubGlobal('process', {
    ...process,
    stdout: Object.assign(Object.create(process.stdout), {
      isTTY,
      write: (text: string) => written.push(text),
    }),
    stderr: Object.assign(Object.create(process.stderr), {
      isTTY,
      write: (text: string) => written.push(text),
    }),
  })
  const written: string[] = []
  const output = createOutput({ isJson: false })
  vi.unstubAllGlobals()
  output.write(hostile)
  output.writeError(hostile)
  expect(written).toEqual([wanted, wanted])
})
