import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { callerAddress } from '#lib/api/auth/caller-address.ts'

test.each([
  ['the address of the connection is used', '203.0.113.7', undefined, [], '203.0.113.7'],
  ['an IPv4-mapped IPv6 address becomes IPv4', '::ffff:203.0.113.7', undefined, [], '203.0.113.7'],
  ['a forwarded address from an untrusted peer is ignored', '203.0.113.7', '198.51.100.1', [], '203.0.113.7'],
  [
    'a forwarded address from a trusted proxy is used',
    '10.0.0.1',
    '198.51.100.1',
    ['10.0.0.1'],
    '198.51.100.1',
  ],
  [
    'only the last address before the trusted proxies is used',
    '10.0.0.1',
    '1.1.1.1, 198.51.100.1',
    ['10.0.0.1'],
    '198.51.100.1',
  ],
  [
    'a chain of trusted proxies is skipped',
    '10.0.0.1',
    '198.51.100.1, 10.0.0.2',
    ['10.0.0.1', '10.0.0.2'],
    '198.51.100.1',
  ],
  ['a trusted proxy that forwards no address is the caller', '10.0.0.1', undefined, ['10.0.0.1'], '10.0.0.1'],
  ['the address is empty without a connection', undefined, undefined, [], ''],
])('%s', (_what, remoteAddress, forwarded, trusted, expected) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const call = { socket: { remoteAddress }, headers } as unknown as IncomingMessage
  expect(callerAddress(call, trusted)).toBe(expected)
})
