import { describe, expect, test } from 'vitest'
import { masked } from '#lib/runner/log/mask.ts'
import { secretForms } from '#lib/runner/log/secret-forms.ts'

const hide = (secret: string, text: string): string => masked(text, secretForms([secret]))
const stars = '*******'

describe('a secret is masked', () => {
  const secret = 'p"ä<w>/ o&r;d?#%+\\1'

  test.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON of ASCII only', String.raw`p\"\u00e4<w>/ o&r;d?#%+\\1`],
    ['in JSON without markup', String.raw`p\"ä\u003cw\u003e/ o\u0026r;d?#%+\\1`],
    ['in JSON with escaped slashes', String.raw`p\"\u00e4<w>\/ o&r;d?#%+\\1`],
    ['in a URL', encodeURIComponent(secret)],
    [
      'in a URL with small digits',
      encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
    ],
    ['in a form', new URLSearchParams({ v: secret }).toString().slice(2)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
  ])('%s', (_, text) => {
    expect(hide(secret, `[${text}]`)).toBe(`[${stars}]`)
  })

  test.each(['', 'u', 'us', 'user', 'user:', 'user: '])('within the base64 of "%sSECRET"', (before) => {
    const code = Buffer.from(`${before}correct horse battery`).toString('base64')
    const shown = hide('correct horse battery', code)
    expect(shown).toContain(stars)
    expect(Buffer.from(shown.replaceAll('*', ''), 'base64').toString()).not.toMatch(/orrect|horse|batter/)
  })

  test('line by line, even with other line endings', () => {
    const key = '-----BEGIN KEY-----\nMIIabcdef\n  GHIjklmno\nno\n-----END KEY-----\n'
    expect(hide(key, 'got MIIabcdef\r\n and GHIjklmno')).toBe(`got ${stars}\r\n and ${stars}`)
    expect(hide(key, `(${key})`)).toBe(`(${stars})`)
    expect(hide(key, `(${key.trim()})`)).toBe(`(${stars})`)
    expect(hide(key, JSON.stringify({ key }))).toBe(`{"key":"${stars}"}`)
  })

  test('in the encoded forms of each line', () => {
    const key = 'first "line"\nsecond <line>'
    expect(hide(key, 'first%20%22line%22')).toBe(stars)
    expect(hide(key, String.raw`second \u003cline\u003e`)).toBe(stars)
  })
})

test('short lines of a longer secret are not masked on their own', () => {
  expect(hide('{\n "key": "abcdef"\n}', '{ no }')).toBe('{ no }')
})

test('a secret that looks like a path does not hide other texts', () => {
  expect(hide('a/../../etc', 'cat /etc/tcp c')).toBe('cat /etc/tcp c')
})

test('secrets of a megabyte are masked without their encoded forms', () => {
  const secret = '"'.repeat(1_048_576)
  expect(hide(secret, `a${secret}b`)).toBe(`a${stars}b`)
  expect(secretForms([secret])).toEqual([secret])
})

test('a secret with a lone surrogate is accepted', () => {
  expect(secretForms(['abc\ud800def'])).toContain('abc\ud800def')
})
