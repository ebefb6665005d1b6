import { expect, test } from 'vitest'
import { RecentlyUsed } from '#lib/core/recently-used.ts'

test('the least recently used values are evicted first, and only as many as make room', () => {
  const kept = new RecentlyUsed<string>(10)
  kept.set('a', 'A', 4)
  kept.set('b', 'B', 4)
  expect(kept.get('a')).toBe('A')
  kept.set('c', 'C', 4)
  expect(kept.get('b')).toBeUndefined()
  expect(kept.values()).toEqual(['A', 'C'])
})

test('a value that is set again replaces the old one and its size', () => {
  const kept = new RecentlyUsed<string>(10)
  kept.set('a', 'A', 4)
  kept.set('b', 'B', 4)
  kept.set('b', 'B2', 6)
  expect(kept.values()).toEqual(['A', 'B2'])
})

test('the newest value stays until the next one comes, whatever its size', () => {
  const kept = new RecentlyUsed<string>(10)
  kept.set('a', 'A', 4)
  kept.set('b', 'B', 40)
  expect(kept.values()).toEqual(['B'])
  kept.set('c', 'C', 1)
  expect(kept.values()).toEqual(['C'])
})
