import { expect, test } from 'vitest'
import { RecentlyUsed } from '#lib/core/recently-used.ts'

test('what was used longest ago goes first, and only as much as makes room', () => {
  const kept = new RecentlyUsed<string>(10)
  kept.set('a', 'A', 4)
  kept.set('b', 'B', 4)
  expect(kept.get('a')).toBe('A')
  kept.set('c', 'C', 4)
  expect(kept.get('b')).toBeUndefined()
  expect(kept.values()).toEqual(['A', 'C'])
})

test('a value set anew takes the place of the old, in size too', () => {
  const kept = new RecentlyUsed<string>(10)
  kept.set('a', 'A', 4)
  kept.set('b', 'B', 4)
  kept.set('b', 'B2', 6)
  expect(kept.values()).toEqual(['A', 'B2'])
})

test('the newest stays, whatever its size, until the next comes', () => {
  const kept = new RecentlyUsed<string>(10)
  kept.set('a', 'A', 4)
  kept.set('b', 'B', 40)
  expect(kept.values()).toEqual(['B'])
  kept.set('c', 'C', 1)
  expect(kept.values()).toEqual(['C'])
})
