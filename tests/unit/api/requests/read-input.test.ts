import { nullable, number, object } from 'valibot'
import { expect, test } from 'vitest'
import { readBody } from '#lib/api/requests/read-input.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'

const read = (body: string) => readBody(new Request('http://x/', { method: 'POST', body }))

test('a body must be a JSON object, and a null field counts as absent', async () => {
  expect(await read('')).toEqual({})
  expect(await read('{"a":1,"b":null,"c":{"d":[null]}}')).toEqual({ a: 1, c: { d: [null] } })
  for (const body of ['[]', 'null', '"x"']) await expect(read(body)).rejects.toThrow('must be a JSON object')
  await expect(read('{"a":}')).rejects.toThrow('the body is not valid JSON')
})

test('null is kept in a nullable field', async () => {
  const body = new Request('http://x/', { method: 'PUT', body: '{"limit":null,"more":null,"toString":null}' })
  expect(await readBody(body, object({ limit: nullable(number()), more: number() }))).toEqual({ limit: null })
})

test.each([
  ['brackets', `{"a":${'['.repeat(900_000)}${']'.repeat(900_000)}}`, 'nested more than 200 levels deep'],
  ['objects', `{"a":${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}}`, 'nested more than 200 levels deep'],
  [
    'fields',
    `{${Array.from({ length: 150_000 }, (_, place) => `"k${place}":1`).join(',')}}`,
    'more than 1000 fields',
  ],
])('a body of 2 MB of %s is refused at once', async (_, body, why) => {
  const spent = cpuTime()
  await expect(read(body)).rejects.toThrow(why)
  expect(spent()).toBeLessThan(500)
})
