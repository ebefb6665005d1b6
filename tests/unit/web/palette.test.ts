import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast, differenceOf, mixed, rgbOf, seenBy, type Rgb, type Sight } from './colours.ts'

const sheet = readFileSync(new URL('../../../web/styles/tokens.css', import.meta.url), 'utf8')

/** The colours of a theme by their names. */
function paletteOf(theme: 'light' | 'dark'): ReadonlyMap<string, Rgb> {
  const found = sheet.matchAll(/--([\w-]+):\s*(?:light-dark\((#\w{6}),\s*(#\w{6})\)|(#\w{6}));/g)
  return new Map(
    [...found].map(([, name = '', light = '', dark = '', both]) => [
      name,
      rgbOf(both ?? (theme === 'light' ? light : dark)),
    ]),
  )
}

const states = ['success', 'failed', 'running', 'partial', 'cancelled', 'queued', 'waiting'] as const
const sights: readonly Sight[] = ['normal', 'deuteranopia', 'protanopia', 'tritanopia']
const grounds = ['paper', 'panel', 'raised', 'hover', 'diff-added', 'diff-removed'] as const

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const palette = paletteOf(theme)
  const colour = (name: string): Rgb => {
    const found = palette.get(name)
    if (found === undefined) throw new Error(`tokens.css has no colour ${name}`)
    return found
  }

  test.each(sights)('states are distinguishable with %s sight', (sight) => {
    const pairs = states.flatMap((one, index) =>
      states.slice(index + 1).map((other) => ({
        pair: `${one} ${other}`,
        difference: differenceOf(seenBy(sight, colour(one)), seenBy(sight, colour(other))),
      })),
    )
    expect(pairs.filter(({ difference }) => difference < 12)).toEqual([])
  })

  test('lines have enough contrast with the background', () => {
    const lines = states.map((state) => (state === 'cancelled' ? state : `${state}-line`))
    const weak = [...lines, 'edge', 'focus'].filter((name) => contrast(colour(name), colour('paper')) < 3)
    expect(weak).toEqual([])
  })

  test('texts have enough contrast on every background', () => {
    const weak = grounds.flatMap((ground) =>
      ['ink', 'quiet'].filter((name) => contrast(colour(name), colour(ground)) < 4.5),
    )
    expect(weak).toEqual([])
    const ansi = [...palette.keys()].filter((name) => name.startsWith('ansi-'))
    expect(ansi).toHaveLength(8)
    expect(ansi.filter((name) => contrast(colour(name), colour('paper')) < 4.5)).toEqual([])
  })

  test('failure and success differ in brightness, so that they can be distinguished without colours', () => {
    const grey = (name: string): Rgb => mixed(colour(name))
    expect(differenceOf(grey('success'), grey('failed'))).toBeGreaterThan(15)
  })
})

test('the difference of two colours is that of the standard', () => {
  const black = rgbOf('#000000')
  expect(differenceOf(black, rgbOf('#ffffff'))).toBeCloseTo(100, 0)
  expect(differenceOf(black, black)).toBe(0)
  expect(contrast(black, rgbOf('#ffffff'))).toBeCloseTo(21, 5)
})
