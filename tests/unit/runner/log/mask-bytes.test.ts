import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskBytes } from '#lib/runner/log/mask-bytes.ts'

function masked(secrets: readonly string[], pieces: readonly string[]): string {
  const mask = maskBytes(secrets)
  const shown = pieces.map((piece) => mask.push(Buffer.from(piece)))
  return Buffer.concat([...shown, mask.end()]).toString()
}

test('a secret that is a prefix of another leaves nothing of the longer one, however the text is split', () => {
  expect(masked(['key', 'key-long'], ['a key', '-long one'])).toBe('a ******* one')
  expect(masked(['key', 'key-long'], ['a key', '-lonely one'])).toBe('a *******-lonely one')
  expect(masked(['key', 'key-long'], ['a key'])).toBe('a *******')
})

test('splitting the text makes no difference', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.array(text, { maxLength: 6 }), (secrets, pieces) => {
      expect(masked(secrets, pieces)).toBe(masked(secrets, [pieces.join('')]))
    }),
    { numRuns: 2_000 },
  )
})

test('every byte of a secret is hidden, even where secrets overlap', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })
  const long = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), long, (secrets, whole) => {
      expect(masked(secrets, [whole])).toBe(maskedSlowly(secrets, whole))
    }),
    { numRuns: 5_000 },
  )
})

/** Marks every occurrence of every secret; what overlaps is one range. */
function maskedSlowly(secrets: readonly string[], text: string): string {
  const spans: { start: number; end: number }[] = []
  for (let end = 1; end <= text.length; end++) {
    for (let start = 0; start < end; start++) {
      if (secrets.includes(text.slice(start, end))) spans.push({ start, end })
    }
  }
  const merged: { start: number; end: number }[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  let at = 0
  let shown = ''
  for (const { start, end } of merged) {
    shown += `${text.slice(at, start)}*******`
    at = end
  }
  return shown + text.slice(at)
}

test.each([
  ['one write', 1_048_576],
  ['writes of one byte', 1],
])('a megabyte that almost matches a secret is masked in linear time, in %s', (_, size) => {
  const length = 262_144
  const secrets = [`${'a'.repeat(length)}b`, 'aab']
  const cpuMsOf = (bytes: number): number => {
    const mask = maskBytes(secrets)
    const piece = Buffer.alloc(Math.min(size, bytes), 'a')
    const start = process.cpuUsage()
    for (let sent = 0; sent < bytes; sent += piece.length) mask.push(piece)
    mask.end()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  }
  cpuMsOf(length)
  expect(cpuMsOf(4 * length)).toBeLessThan(2_000)
})
