import { describe, expect, test } from 'vitest'
import { expandParts } from '#lib/definition/values/expand.ts'
import { jsonFromParts, requestLine } from '#lib/definition/values/request-text.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

const refused = 'refused'

async function partsOf(text: string, values: Readonly<Record<string, string>>) {
  const scope = { variables: new Map(Object.entries(values)), positional: [], steps: new Map() }
  return expandParts(text, scope, () => Promise.resolve(''))
}

/** What the request is sent to; `refused` when the value is. */
async function sentTo(address: string, X: string): Promise<string> {
  const parts = await partsOf(`GET ${address}`, { X })
  try {
    return URL.parse(requestLine(parts).slice(4))?.href ?? 'no address'
  } catch (error) {
    expect(String(error)).toMatch(/a value in the (path|host|scheme) of the address must be/)
    if (X.length > 3) expect(String(error)).not.toContain(X)
    return refused
  }
}

describe('a value in the path stays within it', () => {
  const address = 'https://api.example.com/v1/users/${X}/posts?page=1'

  test.each([
    '..',
    '.',
    '../admin',
    'a/../../admin',
    '/..',
    '%2e%2e',
    '.%2E',
    '%252e%252e',
    '..%2fadmin',
    '..%5Cadmin',
    '..%252fadmin',
    '..\\admin',
    '..;/admin',
    '..;a=b',
    '..%3b/admin',
  ])('%j is refused', async (value) => {
    expect(await sentTo(address, value)).toBe(refused)
  })

  test.each([
    ['ann', 'ann'],
    ['a/b', 'a/b'],
    ['a b', 'a%20b'],
    ['a%20b', 'a%20b'],
    ['a?admin=1', 'a%3Fadmin=1'],
    ['a#b', 'a%23b'],
    ['a\\b', 'a%5Cb'],
    ['a\r\nHost: b', 'a%0D%0AHost:%20b'],
    ['.\n.', '.%0A.'],
    ['.\t.', '.%09.'],
    ['...', '...'],
    ['.hidden', '.hidden'],
    ['@evil.com', '@evil.com'],
    ['//evil.com', '//evil.com'],
    ['ä', '%C3%A4'],
  ])('%j is sent as %s', async (value, sent) => {
    expect(await sentTo(address, value)).toBe(`https://api.example.com/v1/users/${sent}/posts?page=1`)
  })

  test.each([
    ['https://h.example/a/.${X}', '.'],
    ['https://h.example/a/${X}${X}', '.'],
    ['https://h.example/a/%2${X}', 'e%2e'],
    ['https://h.example/a/..${X}', '/b'],
  ])('%s cannot become another path with %j', async (text, value) => {
    expect(await sentTo(text, value)).toBe(refused)
  })

  test('dot segments that the file itself contains are resolved', async () => {
    expect(await sentTo('https://h.example/a/../${X}', 'b')).toBe('https://h.example/b')
    expect(await sentTo('https://h.example/${X}/../c', 'b')).toBe('https://h.example/c')
  })
})

test.each([
  ['https://h.example/p?q=${X}&r=2', 'a&admin=1', 'https://h.example/p?q=a%26admin=1&r=2'],
  ['https://h.example/p?q=${X}&r=2', 'a#b', 'https://h.example/p?q=a%23b&r=2'],
  ['https://h.example/p?q=${X}', 'a;b', 'https://h.example/p?q=a%3Bb'],
  ['https://h.example/p?q=${X}', 'a%26b+c', 'https://h.example/p?q=a%26b+c'],
  ['https://h.example/p?${X}=1', 'a=1&b', 'https://h.example/p?a%3D1%26b=1'],
  ['https://h.example/p?x${X}', '=1&b', 'https://h.example/p?x%3D1%26b'],
  ['https://h.example/p?${X}', 'a=1&b=2', 'https://h.example/p?a=1&b=2'],
  ['https://h.example/p?a=1&${X}', 'b=2#c', 'https://h.example/p?a=1&b=2%23c'],
])('the query of %s with %j becomes %s', async (address, value, sent) => {
  expect(await sentTo(address, value)).toBe(sent)
})

describe('a value in the host', () => {
  test.each([
    ['https://${X}/p', 'evil.com?'],
    ['https://${X}/p', 'evil.com#'],
    ['https://${X}/p', 'a@evil.com'],
    ['https://${X}/p', 'evil.com\\'],
    ['https://${X}/p', ''],
    ['https://${X}.example.com/p', 'evil.com/'],
    ['https://${X}.example.com/p', 'evil.com?'],
    ['https://${X}.example.com/p', 'evil.com:80'],
    ['https://${X}.example.com/p', 'evil.com／'],
    ['https://${X}.example.com/p', 'evil.com\t/'],
    ['https://api.example.com${X}/p', '.evil.com'],
    ['https://api.example.com${X}', 'munity'],
    ['https://api.example.com${X}', '@evil.com'],
    ['https://api.example.com${X}', ':80@evil.com'],
    ['https://api.example.com${X}', '/../x'],
    ['http://node${X}:80/', '/v1'],
    ['http://127.0.0.1:${X}/p', '80@evil.com'],
    ['http://127.0.0.1:${X}/p', '80/../x'],
    ['${X}://api.example.com/p', 'https://evil.com/?'],
    ['http${X}://api.example.com/p', 's://evil.com/?'],
  ])('%s refuses %j', async (address, value) => {
    expect(await sentTo(address, value)).toBe(refused)
  })

  test.each([
    ['https://${X}/p', 'localhost:3000', 'https://localhost:3000/p'],
    ['https://${X}/p', '[::1]:80', 'https://[::1]:80/p'],
    ['https://${X}/p', 'h.example/base', 'https://h.example/base/p'],
    ['https://${X}/p', 'bücher.example', 'https://xn--bcher-kva.example/p'],
    ['https://${X}.example.com/p', 'eu.west', 'https://eu.west.example.com/p'],
    ['https://node${X}.example.com/p', '12', 'https://node12.example.com/p'],
    ['http://node${X}:81/p', '12', 'http://node12:81/p'],
    ['https://api.example.com${X}', '/v1', 'https://api.example.com/v1'],
    ['https://api.example.com${X}', '', 'https://api.example.com/'],
    ['http://127.0.0.1:${X}/p', '8080', 'http://127.0.0.1:8080/p'],
    ['https://ann:${X}@h.example/p', 'p@ss:w/rd?#', 'https://ann:p%40ss%3Aw%2Frd%3F%23@h.example/p'],
    ['https://ann:${X}@h.example/p', 'p%40ss', 'https://ann:p%40ss@h.example/p'],
    ['${X}://h.example/p', 'https', 'https://h.example/p'],
  ])('%s takes %j', async (address, value, sent) => {
    expect(await sentTo(address, value)).toBe(sent)
  })
})

test.each([
  ['${X}', 'https://h.example/a/../b?c=d#e', 'https://h.example/b?c=d#e'],
  ['${X}/users', 'https://h.example/api', 'https://h.example/api/users'],
  ['${X}:81/users', 'http://h.example', 'http://h.example:81/users'],
])('a value at the beginning is taken as the address: %s', async (address, value, sent) => {
  expect(await sentTo(address, value)).toBe(sent)
})

test('a value after such an address stays in its part', async () => {
  const line = async (ID: string): Promise<string> =>
    requestLine(await partsOf('GET ${BASE}/users/${ID}', { BASE: 'http://h.example/api', ID }))
  expect(await line('a?b')).toBe('GET http://h.example/api/users/a%3Fb')
  await expect(line('../admin')).rejects.toThrow('the path')
})

test('a method from a value must be letters, and a command of one value is the whole request line', async () => {
  expect(requestLine(await partsOf('${X} https://h.example/', { X: 'post' }))).toBe('post https://h.example/')
  const hostile = await partsOf('${X} https://h.example/', { X: 'GET https://evil.com/' })
  expect(() => requestLine(hostile)).toThrow('a value in the method of a request must be letters')
  expect(requestLine(await partsOf('${X}', { X: 'GET https://h.example/a' }))).toBe('GET https://h.example/a')
})

describe('JSON', () => {
  const json = async (text: string, X: string): Promise<unknown> =>
    JSON.parse(jsonFromParts(await partsOf(text, { X }))) as unknown

  test('keeps its structure, whatever the values are', async () => {
    const hostile = '", "skipTLSVerify": true, "x": "\\'
    expect(await json('{"body": "<${X}>"}', hostile)).toEqual({ body: `<${hostile}>` })
    expect(await json('{"body": "\\"${X}"}', 'a')).toEqual({ body: '"a' })
    expect(await json('{"timeout": ${X}}', '5')).toEqual({ timeout: 5 })
    expect(await json('${X}', '{"body": "b"}')).toEqual({ body: 'b' })
    await expect(json('{"timeout": ${X}}', '5, "skipTLSVerify": true')).rejects.toThrow('must be JSON')
  })
})

test.each([
  ['blanks', 'GET https://h.example/${X}', ' '],
  ['percent signs', 'GET https://h.example/${X}', '%25'],
  ['dots', 'GET https://h.example/a${X}b', '..'],
  ['semicolons', 'GET https://h.example/${X}', ';'],
  ['slashes', 'GET https://h.example/${X}', '/'],
  ['ampersands', 'GET https://h.example/?a=${X}', '&'],
  ['letters of a host', 'GET https://${X}/', 'a'],
  ['blanks as the line', '${X}', ' '],
])('a megabyte of %s is read within half a second', async (_, text, piece) => {
  const X = piece.repeat(1_048_576 / piece.length)
  const parts = await partsOf(text, { X })
  const spent = cpuTime()
  requestLine(parts)
  expect(spent()).toBeLessThan(500)
})

test('many values are read within a second', async () => {
  const scheme = await partsOf(`GET ${'${X}'.repeat(50_000)}`, { X: 'a'.repeat(100) })
  const path = await partsOf(`GET https://h.example/${'${X}/'.repeat(50_000)}`, { X: 'a'.repeat(100) })
  const spent = cpuTime()
  requestLine(scheme)
  requestLine(path)
  expect(spent()).toBeLessThan(1_000)
})
