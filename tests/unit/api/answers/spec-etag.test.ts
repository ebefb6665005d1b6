import { expect, test } from 'vitest'
import { specETag, versionOf } from '#lib/api/answers/spec-etag.ts'

test('an ETag converts to its version and back', () => {
  expect(versionOf(specETag(12))).toBe(12)
  expect(versionOf('W/"3"')).toBe(3)
})

test.each([null, '*', ' * '])('If-Match %j accepts any version', (header) => {
  expect(versionOf(header)).toBeUndefined()
})

test.each(['12', '"abc"', '"1", "2"', ''])('If-Match %j is refused', (header) => {
  expect(() => versionOf(header)).toThrow(/If-Match/)
})
