import { expect, test } from 'vitest'
import { changedParams, paramFields, valuesOfRun } from '#web/model/params-fields.ts'

test('fields have the defaults, whatever these hold', () => {
  expect(paramFields(['DAY', 'TEXT', 'NONE'], String.raw`DAY="today" TEXT="a \"b\" = c\d \\\" \\"`)).toEqual([
    { name: 'DAY', value: 'today' },
    { name: 'TEXT', value: `${String.raw`a "b" = c\d \" `}\\` },
    { name: 'NONE', value: '' },
  ])
})

test('params without names have their places', () => {
  expect(paramFields(['1', 'DAY', '2'], '"a b" DAY="x" "c"').map(({ value }) => value)).toEqual([
    'a b',
    'x',
    'c',
  ])
})

test('only what was changed is sent', () => {
  const fields = paramFields(['DAY', 'SIZE'], 'DAY="today" SIZE="3"')
  expect(changedParams(fields, {})).toBeUndefined()
  expect(changedParams(fields, { DAY: 'today', SIZE: '4' })).toEqual({ SIZE: '4' })
  expect(changedParams(fields, { DAY: '' })).toEqual({ DAY: '' })
})

test('params without names are sent in their order, all of them', () => {
  const fields = paramFields(['1', 'DAY'], '"a" DAY="x"')
  expect(changedParams(fields, { '1': String.raw`b "c" \ ` })).toBe(String.raw`"b \"c\" \ " DAY="x"`)
})

test('the values of an earlier run, blanks included', () => {
  expect(valuesOfRun(['DAY', 'SIZE'], 'SIZE=3 DAY=last week = 7 days')).toEqual({
    SIZE: '3',
    DAY: 'last week = 7 days',
  })
  expect(valuesOfRun(['A', 'B'], 'B=')).toEqual({ B: '' })
  expect(valuesOfRun([], 'A=1')).toEqual({})
})
