import { describe, expect, it } from 'vitest'
import { countItems, parallelItems } from '#lib/definition/values/parallel-items.ts'

describe('parallelItems', () => {
  it.each([
    ['["rook", "crow", 3, true, null]', ['rook', 'crow', '3', 'true', '']],
    ['[{"host": "a", "port": 81}, [1, 2]]', ['{"host":"a","port":81}', '[1,2]']],
    ['{"host": "a", "port": 81}', ['{"host":"a","port":81}']],
    ['{"a":1,"b":2}\n{"a":3,"b":4}\n', ['{"a":1,"b":2}', '{"a":3,"b":4}']],
    ['a b\nc, d\r\n\n e \n', ['a b', 'c, d', 'e']],
    ['a b, c ,,d', ['a b', 'c', 'd']],
    ['a b; c|d', ['a b', 'c|d']],
    ['a b|c', ['a b', 'c']],
    ['a b\tc', ['a b', 'c']],
    ['a  b c', ['a', 'b', 'c']],
    ['one', ['one']],
    ['a,b\n', ['a', 'b']],
    ['"a b" c "d"', ['a b', 'c', 'd']],
    ['"a, b", c', ['a, b', 'c']],
    ['"a b"', ['a b']],
    ['"a \\" b" c', ['a " b', 'c']],
    ['say "hi", x', ['say "hi"', 'x']],
    ['5" nails, 3" nails, 1" pin', ['5" nails', '3" nails', '1" pin']],
    ['42', ['42']],
    ['"a\\qb", c', ['a\\qb', 'c']],
    ['"a"b, c', ['"a"b', 'c']],
    ['[broken, json', ['[broken', 'json']],
  ])('splits %j', (text, items) => {
    expect(parallelItems(text)).toEqual({ items })
  })

  it.each(['', '  \n', '[]', ',,', '""'])('finds no items in %j', (text) => {
    expect(parallelItems(text)).toEqual({ fault: 'parallel has no items' })
  })

  it('allows at most a thousand items', () => {
    expect(countItems(Array.from({ length: 1_000 }, () => 'x'))).toHaveProperty('items')
    expect(parallelItems('x '.repeat(1_001))).toEqual({
      fault: 'parallel has more than 1000 items, so none is run',
    })
  })
})
