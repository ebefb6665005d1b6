import { describe, expect, test } from 'vitest'
import { createHostCheck } from '#lib/api/requests/check-host.ts'

const of = (host: string): Request => new Request('http://ignored/', { headers: { host } })
const open = createHostCheck({ allowedHosts: ['millrace.example', '[fd00::5]'], hasCredentials: false })
const guarded = createHostCheck({ allowedHosts: [], hasCredentials: true })

describe('without credentials', () => {
  test.each([
    'localhost',
    'LocalHost:8080',
    'localhost.',
    'app.localhost:1',
    '127.0.0.1',
    '127.8.9.10:8080',
    '[::1]:8080',
    '[0:0:0:0:0:0:0:1]',
    'millrace.example',
    'MILLRACE.example.:443',
    '[fd00:0::5]:80',
  ])('%s is answered', (host) => {
    expect(() => open(of(host))).not.toThrow()
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    'x.millrace.example',
    '192.168.1.2',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[fe80::1]',
  ])('%s is forbidden, and the error names it and the setting', (host) => {
    expect(() => open(of(host))).toThrow(expect.objectContaining({ code: 'forbidden' }))
    expect(() => open(of(host))).toThrow(host)
    expect(() => open(of(host))).toThrow('MILLRACE_ALLOWED_HOSTS')
  })

  test.each([
    '',
    'localhost,evil.example',
    'evil@localhost',
    'localhost/',
    '[fe80::1%25eth0]',
    'localhost:99999',
    '::1',
  ])('"%s" is refused as malformed', (host) => {
    expect(() => open(of(host))).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })

  test('a star allows every host', () => {
    const any = createHostCheck({ allowedHosts: ['*'], hasCredentials: false })
    expect(() => any(of('evil.example'))).not.toThrow()
  })

  test('a request without the header has the host of its URL', () => {
    expect(() => open(new Request('http://evil.example/'))).toThrow('evil.example')
    expect(() => open(new Request('http://localhost/'))).not.toThrow()
  })
})

describe('with credentials', () => {
  test('every host is answered, unless the setting lists some', () => {
    expect(() => guarded(of('evil.example'))).not.toThrow()
    const listed = createHostCheck({ allowedHosts: ['millrace.example'], hasCredentials: true })
    expect(() => listed(of('millrace.example'))).not.toThrow()
    expect(() => listed(of('localhost'))).not.toThrow()
    expect(() => listed(of('evil.example'))).toThrow('MILLRACE_ALLOWED_HOSTS')
  })
})
