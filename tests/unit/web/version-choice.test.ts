import { expect, test } from 'vitest'
import { choiceQuery, readVersionChoice } from '#web/model/version-choice.ts'

test('without an address, the newest version is compared with the one before', () => {
  expect(readVersionChoice({}, [7, 5, 1])).toEqual({ from: 5, to: 7 })
  expect(readVersionChoice({ to: '5' }, [7, 5, 1])).toEqual({ from: 1, to: 5 })
  expect(readVersionChoice({ to: '1' }, [7, 5, 1])).toEqual({ from: undefined, to: 1 })
})

test('an address names both versions, or only the second', () => {
  expect(readVersionChoice({ from: '1', to: '7' }, [7, 5, 1])).toEqual({ from: 1, to: 7 })
  expect(readVersionChoice(choiceQuery({ from: undefined, to: 7 }), [7, 5])).toEqual({
    from: undefined,
    to: 7,
  })
  expect(readVersionChoice(choiceQuery({ from: 5, to: 1 }), [7, 5])).toEqual({ from: 5, to: 1 })
})

test('an invalid number counts as not given', () => {
  expect(readVersionChoice({ from: '-1', to: 'x' }, [3, 2])).toEqual({ from: 2, to: 3 })
})
