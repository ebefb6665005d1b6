import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { atFailpoints, failpoint, failpoints } from '#lib/core/failpoint.ts'

const top = new URL('../../..', import.meta.url).pathname

test('each listed failpoint is used once in the product, and no other is used', () => {
  const found = globSync('lib/**/*.ts', { cwd: top }).flatMap((file) =>
    [...readFileSync(`${top}${file}`, 'utf8').matchAll(/\bfailpoint\('(.+?)'\)/g)].map((match) => match[1]),
  )
  expect(found).toHaveLength(Object.keys(failpoints).length)
  expect(new Set<unknown>(found)).toEqual(new Set(Object.keys(failpoints)))
})

test('a failpoint does nothing but what was installed', () => {
  failpoint('run.ended')
  const seen: string[] = []
  atFailpoints((name) => seen.push(name))
  failpoint('run.ended')
  atFailpoints(() => undefined)
  failpoint('run.ended')
  expect(seen).toEqual(['run.ended'])
})
