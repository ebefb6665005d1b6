import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { callerAddress } from '#lib/api/auth/caller-address.ts'

test.each([
  ['the connection counts', '203.0.113.7', undefined, [], '203.0.113.7'],
  ['IPv4 in IPv6 is IPv4', '::ffff:203.0.113.7', undefined, [], '203.0.113.7'],
  ['nobody may say who he is', '203.0.113.7', '198.51.100.1', [], '203.0.113.7'],
  ['but a proxy that is trusted', '10.0.0.1', '198.51.100.1', ['10.0.0.1'], '198.51.100.1'],
  [
    'the last address before the proxies counts',
    '10.0.0.1',
    '1.1.1.1, 198.51.100.1',
    ['10.0.0.1'],
    '198.51.100.1',
  ],
  ['a chain of proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', ['10.0.0.1', '10.0.0.2'], '198.51.100.1'],
  ['a proxy that says nothing', '10.0.0.1', undefined, ['10.0.0.1'], '10.0.0.1'],
  ['no connection', undefined, undefined, [], ''],
])('%s', (_what, remoteAddress, forwarded, trusted, expected) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const call = { socket: { remoteAddress }, headers } as unknown as IncomingMessage
  expect(callerAddress(call, trusted)).toBe(expected)
})
