import { expect, test } from 'vitest'
import { changedParams, valuesOfRun } from '#web/model/params-text.ts'

const field = (name: string, value?: string, kind: 'text' | 'flag' = 'text') => ({ name, value, kind })

test('only changed params are sent', () => {
  const fields = [field('DAY', 'today'), field('SIZE', '3')]
  expect(changedParams(fields, {})).toBeUndefined()
  expect(changedParams(fields, { DAY: 'today', SIZE: '4' })).toEqual({ SIZE: '4' })
  expect(changedParams(fields, { DAY: '' })).toEqual({ DAY: '' })
})

test('positional params are all sent, in their order', () => {
  const fields = [field('1', 'a'), field('DAY', 'x')]
  expect(changedParams(fields, { '1': String.raw`b "c" \ ` })).toBe(String.raw`"b \"c\" \ " DAY="x"`)
})

test('the values of an earlier run are read, including blanks', () => {
  expect(valuesOfRun(['DAY', 'SIZE'], 'SIZE=3 DAY=last week = 7 days')).toEqual({
    SIZE: '3',
    DAY: 'last week = 7 days',
  })
  expect(valuesOfRun(['A', 'B'], 'B=')).toEqual({ B: '' })
  expect(valuesOfRun([], 'A=1')).toEqual({})
})

test('a param without a default is sent when it has a value, and a flag always has one', () => {
  const fields = [field('OPEN'), field('SURE', undefined, 'flag'), field('LOUD', 'true', 'flag')]
  expect(changedParams(fields, {})).toEqual({ SURE: 'false' })
  expect(changedParams(fields, { OPEN: 'x', LOUD: 'false' })).toEqual({
    OPEN: 'x',
    SURE: 'false',
    LOUD: 'false',
  })
})
