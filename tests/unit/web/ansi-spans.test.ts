import { expect, test } from 'vitest'
import { styledTexts } from '#web/parts/log-view/ansi-spans.ts'

test('colours, bold and underline become classes', () => {
  expect(styledTexts('a \u001b[1;31mred\u001b[0m b')).toEqual([
    { text: 'a ', classes: '' },
    { text: 'red', classes: 'ansi-red ansi-bold' },
    { text: ' b', classes: '' },
  ])
})

test('a repeated style is named once', () => {
  const texts = styledTexts('\u001b[1;4ma'.repeat(300))
  expect(texts).toHaveLength(300)
  expect(texts.at(-1)).toEqual({ text: 'a', classes: 'ansi-bold ansi-underline' })
})

test('text that looks like markup stays unchanged', () => {
  const hostile = '<img src=x onerror=alert(1)> &amp; "quoted" \t end'
  expect(styledTexts(hostile)).toEqual([{ text: hostile, classes: '' }])
  expect(styledTexts(`\u001b[32m${hostile}`)).toEqual([{ text: hostile, classes: 'ansi-green' }])
})

test('control sequences are left out', () => {
  const texts = styledTexts('a\u0007b\u001b[2Kc\u009bd').map(({ text }) => text)
  expect(texts.join('')).not.toMatch(/(?!\t)\p{Cc}/u)
  expect(texts.join('')).toMatch(/^ab.*c/)
})

test('terminal titles and addresses of links are left out', () => {
  expect(styledTexts('\u001b]0;a title\u0007plain')).toEqual([{ text: 'plain', classes: '' }])
  expect(
    styledTexts('\u001b]8;;https://x.example\u001b\\here\u001b]8;;\u001b\\').map(({ text }) => text),
  ).toEqual(['here'])
  const open = '\u001b]'.repeat(50_000)
  expect(
    styledTexts(open)
      .map(({ text }) => text)
      .join('').length,
  ).toBeLessThanOrEqual(open.length)
})
