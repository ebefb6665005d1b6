import { expect, test } from 'vitest'
import { specETag, versionOf } from '#lib/api/answers/spec-etag.ts'

test('a tag comes back as the version that it was made of', () => {
  expect(versionOf(specETag(12))).toBe(12)
  expect(versionOf('W/"3"')).toBe(3)
})

test.each([null, '*', ' * '])('%j welcomes any version', (header) => {
  expect(versionOf(header)).toBeUndefined()
})

test.each(['12', '"abc"', '"1", "2"', ''])('%j is not a tag of ours', (header) => {
  expect(() => versionOf(header)).toThrow(/If-Match/)
})
